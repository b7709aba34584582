import { closeSync, fstatSync, mkdirSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import { deriveWarmth } from "#server/demo/fields/sst.ts";
import { LATTICE_NODES } from "#server/demo/math/lattice.ts";
import { isNoSpace } from "#server/platform/errors.ts";
import { replaceFileSync } from "#server/platform/files.ts";
import { coastDistance } from "./coast-distance.ts";
import { deriveDepth } from "./depth.ts";
import { deriveEddies } from "./eddies.ts";
import { BEARINGS, deriveFetch, FETCH_CELLS } from "./fetch.ts";
import { deriveGyres } from "./gyres.ts";
import { landMask, worldGrid } from "./land.ts";
import { deriveTide, TIDE_BANDS } from "./tide.ts";
import type { StaticWorld } from "./world.types.ts";

/** Increment whenever a code change alters the static world: a file of another version is replaced. */
const VERSION = 2;

const MAGIC = 0x444d5731;
/** Magic, version, checksum and length of what follows, 32 bits each. */
const HEADER_BYTES = 16;

const CELLS = worldGrid.latitude.count * worldGrid.longitude.count;
const PAYLOAD_BYTES =
  4 * (2 * CELLS + (2 + 4 + TIDE_BANDS + 1) * LATTICE_NODES) + 2 * BEARINGS * FETCH_CELLS + CELLS;

/**
 * Reads the static world from the file that an earlier start wrote; derives and writes it if the file is missing, of another
 * version or damaged.
 *
 * Its arrays are views of one SharedArrayBuffer, so that worker threads share them when they are posted.
 *
 * @param folder Created if absent.
 * @param derive Derives the world; replaced only by tests.
 */
export function staticWorld(folder: string, derive: () => StaticWorld = deriveStaticWorld): StaticWorld {
  const path = join(folder, "static-world.bin");
  const memory = new SharedArrayBuffer(PAYLOAD_BYTES);
  const world = views(memory);
  if (read(path, memory)) return world;
  fill(world, derive());
  mkdirSync(folder, { recursive: true });
  write(path, memory);
  return world;
}

/** The static world in memory that another thread has read. */
export function sharedWorld(memory: SharedArrayBuffer): StaticWorld {
  return views(memory);
}

/** Derives the static world from the coastline: some seconds of work. */
export function deriveStaticWorld(): StaticWorld {
  const land = landMask();
  const coast = coastDistance(land);
  const depth = deriveDepth(land, coast);
  const { gyres, coastFactor } = deriveGyres(coast, depth);
  return {
    land,
    coastDistance: coast,
    depth,
    fetch: deriveFetch(coast),
    gyres,
    coastFactor,
    eddies: deriveEddies(gyres, coast),
    tide: deriveTide(coast, depth),
    warmth: deriveWarmth(),
  };
}

function views(memory: SharedArrayBuffer): StaticWorld {
  let at = 0;
  const floats = (count: number) => {
    const view = new Float32Array(memory, at, count);
    at += view.byteLength;
    return view;
  };
  const world = {
    coastDistance: floats(CELLS),
    depth: floats(CELLS),
    gyres: floats(LATTICE_NODES),
    coastFactor: floats(LATTICE_NODES),
    eddies: floats(4 * LATTICE_NODES),
    tide: floats(TIDE_BANDS * LATTICE_NODES),
    warmth: floats(LATTICE_NODES),
  };
  const fetch = new Uint16Array(memory, at, BEARINGS * FETCH_CELLS);
  return { ...world, fetch, land: new Uint8Array(memory, at + fetch.byteLength, CELLS) };
}

function fill(into: StaticWorld, from: StaticWorld): void {
  for (const name of Object.keys(into) as (keyof StaticWorld)[]) into[name].set(from[name]);
}

/** @returns Whether the file was read completely and is undamaged. */
function read(path: string, memory: SharedArrayBuffer): boolean {
  let file: number;
  try {
    file = openSync(path, "r");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return false;
    throw error;
  }
  try {
    if (fstatSync(file).size !== HEADER_BYTES + PAYLOAD_BYTES) return false;
    const header = new Uint32Array(HEADER_BYTES / 4);
    const bytes = new Uint8Array(memory);
    readSync(file, header);
    if (header[0] !== MAGIC || header[1] !== VERSION || header[3] !== PAYLOAD_BYTES) return false;
    for (let at = 0; at < bytes.length; ) {
      const count = readSync(file, bytes, at, bytes.length - at, null);
      if (count === 0) return false;
      at += count;
    }
    return crc32(bytes) === header[2];
  } finally {
    closeSync(file);
  }
}

/** Where the disk is full, the next start derives the world again. */
function write(path: string, memory: SharedArrayBuffer): void {
  const bytes = new Uint8Array(memory);
  const header = Uint32Array.of(MAGIC, VERSION, crc32(bytes), PAYLOAD_BYTES);
  try {
    replaceFileSync(path, [new Uint8Array(header.buffer), bytes]);
  } catch (error) {
    if (!isNoSpace(error)) throw error;
  }
}

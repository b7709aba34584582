import { randomUUID } from "node:crypto";
import {
  closeSync,
  fstatSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { crc32 } from "node:zlib";
import { buildWarmth } from "#server/demo/fields/sst.ts";
import { LATTICE_NODES } from "#server/demo/math/lattice.ts";
import { coastDistance } from "./coast-distance.ts";
import { buildDepth } from "./depth.ts";
import { buildEddies } from "./eddies.ts";
import { BEARINGS, buildFetch, FETCH_CELLS } from "./fetch.ts";
import { buildGyres } from "./gyres.ts";
import { landMask, worldGrid } from "./land.ts";
import { buildTide, TIDE_PLANES } from "./tide.ts";
import type { StaticWorld } from "./world.types.ts";

/** Raise this whenever a change of the code changes the static world: a file of another version is made anew. */
const VERSION = 2;

const MAGIC = 0x444d5731;
/** Magic, version, checksum and length of what follows, 32 bits each. */
const HEADER_BYTES = 16;

const CELLS = worldGrid.latitude.count * worldGrid.longitude.count;
const PAYLOAD_BYTES =
  4 * (2 * CELLS + (2 + 4 + TIDE_PLANES + 1) * LATTICE_NODES) + 2 * BEARINGS * FETCH_CELLS + CELLS;

/**
 * The static world, read from the file that an earlier start left in a folder; made, and left there, where there is none
 * or where it is of another version or damaged.
 *
 * Its arrays are views of one SharedArrayBuffer, so that worker threads share them when they are posted.
 *
 * @param folder Made where it does not exist.
 * @param build Makes it; `buildStaticWorld` unless a test stands in.
 */
export function staticWorld(folder: string, build: () => StaticWorld = buildStaticWorld): StaticWorld {
  const path = join(folder, "static-world.bin");
  const memory = new SharedArrayBuffer(PAYLOAD_BYTES);
  const world = views(memory);
  if (read(path, memory)) return world;
  fill(world, build());
  mkdirSync(folder, { recursive: true });
  write(path, memory);
  return world;
}

/** The static world in the memory of one that another thread has read. */
export function sharedWorld(memory: SharedArrayBuffer): StaticWorld {
  return views(memory);
}

/** Makes the static world from the coastline: some seconds of work. */
export function buildStaticWorld(): StaticWorld {
  const land = landMask();
  const coast = coastDistance(land);
  const depth = buildDepth(land, coast);
  const { gyres, room } = buildGyres(coast, depth);
  return {
    land,
    coastDistance: coast,
    depth,
    fetch: buildFetch(coast),
    gyres,
    room,
    eddies: buildEddies(gyres, coast),
    tide: buildTide(coast, depth),
    warmth: buildWarmth(),
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
    room: floats(LATTICE_NODES),
    eddies: floats(4 * LATTICE_NODES),
    tide: floats(TIDE_PLANES * LATTICE_NODES),
    warmth: floats(LATTICE_NODES),
  };
  const fetch = new Uint16Array(memory, at, BEARINGS * FETCH_CELLS);
  return { ...world, fetch, land: new Uint8Array(memory, at + fetch.byteLength, CELLS) };
}

function fill(into: StaticWorld, from: StaticWorld): void {
  for (const name of Object.keys(into) as (keyof StaticWorld)[]) into[name].set(from[name]);
}

/** @returns Whether the file is there and whole; only then is the memory worth reading. */
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

/** Another start never sees half a file: it is written aside, and then takes the name in one step. */
function write(path: string, memory: SharedArrayBuffer): void {
  const bytes = new Uint8Array(memory);
  const aside = `${path}.${randomUUID()}`;
  const file = openSync(aside, "wx");
  try {
    writeSync(file, Uint32Array.of(MAGIC, VERSION, crc32(bytes), PAYLOAD_BYTES));
    for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  sweepAside(aside, path);
  renameSync(aside, path);
}

/** What a start leaves that was killed while it wrote: by now any other would have been done. */
const LONGEST_WRITE_MS = 10 * 60_000;

function sweepAside(fresh: string, path: string): void {
  const folder = dirname(path);
  const written = statSync(fresh).mtimeMs;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(`${basename(path)}.`)) continue;
    const other = join(folder, name);
    // Another start may have given its own the name in the meantime.
    const { mtimeMs } = statSync(other, { throwIfNoEntry: false }) ?? { mtimeMs: written };
    if (written - mtimeMs > LONGEST_WRITE_MS) rmSync(other, { force: true });
  }
}

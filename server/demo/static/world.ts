import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type LandMask, worldGrid } from "#server/demo/math/grid.ts";
import { isNoSpace } from "#server/platform/errors.ts";
import { replaceFileSync } from "#server/platform/files.ts";
import { deriveCoastFactor, deriveGyres, deriveTide, LATTICE_NODES, TIDE_BANDS } from "./circulation.ts";
import { BEARINGS, deriveFetch, FETCH_CELLS } from "./fetch.ts";
import { coastDistance, deriveDepth, landMask } from "./relief.ts";

/**
 * Everything that does not change with time, derived once. Arrays are (latitude, longitude) row-major, south to north,
 * over `worldGrid` (cells of 0.25°) or over the `lattice` (nodes every 0.5°).
 */
export interface StaticWorld {
  /** Land and sea, over `worldGrid`. */
  land: LandMask;
  /** Distance to the coast, km: positive at sea, negative inland. Over `worldGrid`. */
  coastDistance: Float32Array;
  /** Depth of the sea floor, metres, positive down; 0 on land. Over `worldGrid`. */
  depth: Float32Array;
  /** Fetch to windward, km; see `deriveFetch`. */
  fetch: Uint16Array;
  /** Streamfunction of the mean circulation, m² s⁻¹. Over the lattice. */
  gyres: Float32Array;
  /** Factor for currents whose equations have no coast: 0 at coasts, 1 far from them. Over the lattice. */
  coastFactor: Float32Array;
  /** Tidal streams, m s⁻¹; see `deriveTide`. (8, latitude, longitude) over the lattice. */
  tide: Float32Array;
}

export interface World {
  /** Another seed gives other weather; coasts and climate stay. */
  seed: number;
  static: StaticWorld;
}

/** Increment this whenever a code change alters the static world, or the order of its arrays. */
const VERSION = 4;

const CELLS = worldGrid.latitude.count * worldGrid.longitude.count;
const WORLD_BYTES = 4 * (2 * CELLS + (2 + TIDE_BANDS) * LATTICE_NODES) + 2 * BEARINGS * FETCH_CELLS + CELLS;

/**
 * Reads the static world from the file that an earlier start wrote. Derives and writes it if there is no complete file
 * of this version, and removes the file of another version.
 *
 * Its arrays are views of one SharedArrayBuffer, so that worker threads share them when they are posted.
 *
 * @param folder Created if absent.
 * @param derive Derives the world; replaced only by tests.
 */
export function staticWorld(folder: string, derive: () => StaticWorld = deriveStaticWorld): StaticWorld {
  const path = join(folder, `static-world-${VERSION}.bin`);
  const memory = new SharedArrayBuffer(WORLD_BYTES);
  const world = sharedWorld(memory);
  const bytes = new Uint8Array(memory);
  const known = existsSync(path) ? readFileSync(path) : undefined;
  if (known?.length === WORLD_BYTES) {
    bytes.set(known);
    return world;
  }
  const derived = derive();
  for (const name of Object.keys(world) as (keyof StaticWorld)[]) world[name].set(derived[name]);
  mkdirSync(folder, { recursive: true });
  for (const name of readdirSync(folder))
    if (/^static-world(-\d+)?\.bin$/.test(name)) rmSync(join(folder, name), { force: true });
  try {
    replaceFileSync(path, [bytes]);
  } catch (error) {
    // With a full disk, the next start derives the world again.
    if (!isNoSpace(error)) throw error;
  }
  return world;
}

/** Derives the static world from the coastline, which takes some seconds. */
export function deriveStaticWorld(): StaticWorld {
  const land = landMask();
  const coast = coastDistance(land);
  const depth = deriveDepth(land, coast);
  return {
    land,
    coastDistance: coast,
    depth,
    fetch: deriveFetch(coast),
    gyres: deriveGyres(coast, depth),
    coastFactor: deriveCoastFactor(coast),
    tide: deriveTide(coast, depth),
  };
}

/** The static world from memory that another thread has filled. */
export function sharedWorld(memory: SharedArrayBuffer): StaticWorld {
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
    tide: floats(TIDE_BANDS * LATTICE_NODES),
  };
  const fetch = new Uint16Array(memory, at, BEARINGS * FETCH_CELLS);
  return { ...world, fetch, land: new Uint8Array(memory, at + fetch.byteLength, CELLS) };
}

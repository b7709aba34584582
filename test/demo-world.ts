import { cpSync, existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { crc32 } from "node:zlib";
import type { Grid } from "@open-metocean/geo/grid";
import { staticWorld, type World } from "#server/demo/static/world.ts";

const sources = new URL("../server/demo/", import.meta.url);

/**
 * The demo for tests. Its static part is derived once and cached under a name that changes with every change of the
 * demo's code.
 */
export function demoWorld(seed = 1): World {
  return { seed, static: staticWorld(demoWorldFolder()) };
}

/** Copies the static part of the demo into a DATA_DIR, because deriving it takes five seconds of processor time. */
export function copyDemoWorld(dataDir: string): void {
  const made = demoWorldFolder();
  if (!existsSync(made)) staticWorld(made);
  cpSync(made, join(dataDir, "demo"), { recursive: true });
}

/** Folder of the static part. */
export function demoWorldFolder(): string {
  let code = 0;
  for (const name of readdirSync(sources, { recursive: true, encoding: "utf8" }).sort()) {
    if (name.endsWith(".ts") && !name.endsWith(".test.ts"))
      code = crc32(readFileSync(new URL(name, sources)), code);
  }
  return join(import.meta.dirname, "../node_modules/.metocean", `demo-world-${code.toString(16)}`);
}

/**
 * Hash of a field, of its values in whole multiples of `step`. The step is coarse enough that the last digits of
 * another engine make no difference. Missing values count.
 */
export function fingerprint(values: Float32Array, step: number): string {
  const coarse = Int32Array.from(values, (value) =>
    Number.isNaN(value) ? -2147483648 : Math.round(value / step),
  );
  return crc32(new Uint8Array(coarse.buffer)).toString(16).padStart(8, "0");
}

/** A grid by its south-west node, degrees. */
export function box(south: number, west: number, step: number, rows: number, columns: number): Grid {
  return {
    latitude: { start: south, step, count: rows },
    longitude: { start: west, step, count: columns },
  };
}

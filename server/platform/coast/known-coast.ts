import { existsSync, readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { type CellNumber, cellFile, type PackedPolygons } from "#lib/geo/coast-cells.ts";
import { Coast } from "#lib/passage/optimise/coast.ts";
import { Coastline, unpackMasks } from "#lib/passage/optimise/coastline.ts";
import { coastMaskBase64 } from "./coast-mask.data.ts";

const files = new URL("../../../public/basemap/coast/", import.meta.url);

let coast: Coast | undefined;

/**
 * The coast that the map shows, Natural Earth 1:10m: better routes keep clear of it, and tide stations are chosen by
 * the way around it. The masks of its cells are unpacked when they are first needed. Its line is read from the files of
 * the requested cells of 10°, at most 3 MB.
 */
export function knownCoast(): Coast {
  coast ??= new Coast({
    ...unpackMasks(brotliDecompressSync(Buffer.from(coastMaskBase64, "base64"))),
    coastline: new Coastline(polygonsOf),
  });
  return coast;
}

function polygonsOf(file: CellNumber): PackedPolygons {
  const url = new URL(cellFile(file), files);
  // A cell without a coast has no file.
  return existsSync(url) ? (JSON.parse(readFileSync(url, "utf8")) as PackedPolygons) : [];
}

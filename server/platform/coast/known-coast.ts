import { existsSync, readFileSync } from "node:fs";
import { brotliDecompressSync } from "node:zlib";
import { Coast } from "#lib/passage/optimise/coast.ts";
import { Coastline, unpackMasks } from "#lib/passage/optimise/coastline.ts";
import { type CellNumber, cellFile, type PackedPolygons } from "#lib/places/coast-cells.ts";
import { coastMaskBase64 } from "./coast-mask.data.ts";

const files = new URL("../../../public/basemap/coast/", import.meta.url);

let coast: Coast | undefined;

/**
 * Returns the coast that the map shows, Natural Earth 1:10m. Better routes keep clear of it, and the choice of a tide
 * station measures distances around it. The cell masks are unpacked on first use. The shoreline is read from files of
 * 10° cells on demand, at most 3 MB in all.
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

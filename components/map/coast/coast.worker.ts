import { type CellNumber, cellFile, type PackedPolygons } from "#lib/places/coast-cells.ts";
import { fineCoast, type LandOfCell } from "./fine-coast.ts";

/** Reads and joins cells of the 1:10 million coast, off the main thread. */

/** Message to the worker: the cells that the map shows. */
export interface CoastRequest {
  id: number;
  cells: readonly CellNumber[];
}

/** Message from the worker: GeoJSON of their land and coast, or the reason why there is none. */
export type CoastReply = { id: number } & ({ coast: Blob } | { failed: string });

self.addEventListener("message", ({ data: { id, cells } }: MessageEvent<CoastRequest>) => {
  read(cells).then(
    (coast) => self.postMessage({ id, coast } satisfies CoastReply),
    (error: Error) => self.postMessage({ id, failed: error.message } satisfies CoastReply),
  );
});

/** Files that were read; a file that failed is read again. */
const files = new Map<string, Promise<unknown>>();

function readFile(name: string): Promise<unknown> {
  const file =
    files.get(name) ??
    fetch(`/basemap/coast/${name}`).then((reply) => {
      if (!reply.ok) throw new Error(`The coast could not be read (${reply.status}).`);
      return reply.json();
    });
  files.set(name, file);
  file.catch(() => files.delete(name));
  return file;
}

async function read(cells: readonly CellNumber[]): Promise<Blob> {
  const index = ((await readFile("index.json")) as string[]).join("");
  const land = await Promise.all(
    cells.map(async (cell): Promise<LandOfCell> => {
      if (index[cell] === "s") return { cell, polygons: [] };
      if (index[cell] === "l") return { cell, polygons: "all" };
      return { cell, polygons: (await readFile(cellFile(cell))) as PackedPolygons };
    }),
  );
  return new Blob([JSON.stringify(fineCoast(land))]);
}

// Writes the positions of the stations of tidal streams, so that answers can name them without the tide database, which
// takes 190 MB: `node scripts/stream-stations.ts`, part of the set-up.
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { Catalog, described } from "#server/tides/catalog.ts";

const out = path.join(import.meta.dirname, "..", "lib", "tides", "generated");
mkdirSync(out, { recursive: true });
const stations = new Catalog(false).within("stream").map((station) => described(station));
const columns = {
  id: stations.map(({ id }) => id),
  latitude: stations.map(({ latitude }) => latitude),
  longitude: stations.map(({ longitude }) => longitude),
};
writeFileSync(
  path.join(out, "stream-stations.ts"),
  `export const streamStations = ${JSON.stringify(columns)};\n`,
);

import type { Grid } from "@open-metocean/geo/grid";
import type { StatisticName } from "#lib/catalog/ensemble.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import { openCatalog, withSources } from "#server/archive/catalog.ts";
import { directoryStore } from "#server/archive/directory-store.ts";
import { openReader } from "#server/archive/reader.ts";
import { beginRun } from "#server/archive/writer.ts";
import { knownSources } from "#server/context/sources.ts";
import { temporaryFolder } from "./archive.ts";
import { seeded } from "./seeded.ts";

const HOUR = 3600;

/** Base time of the ensemble, Unix seconds. */
export const ensembleStart = Date.UTC(2026, 5, 15) / 1000;

/** The globe in steps of 10°. */
const globe: Grid = {
  latitude: { start: -90, step: 10, count: 19 },
  longitude: { start: -180, step: 10, count: 36 },
};

const waves: FieldName[] = [
  "sea_surface_wave_from_direction_x",
  "sea_surface_wave_from_direction_y",
  "sea_surface_wave_significant_height",
  "sea_surface_wave_mean_period",
];

interface PublishedEnsemble {
  members?: number[];
  size?: number;
  source?: string;
  /** Hours of the steps after `ensembleStart`; the first is the base time. */
  hours?: number[];
  grid?: Grid;
  fields?: FieldName[];
  /** Stored statistics, whose value at node n is n mod 100. */
  statistics?: StatisticName[];
  /** Folder of the archive; by default a new one. */
  root?: string;
}

/**
 * An archive on disk with an ensemble whose members are a common pattern and random numbers. Waves are missing at every
 * fourth node, and there of every third member.
 */
export async function ensembleArchive({
  members = Array.from({ length: 31 }, (_, member) => member),
  size = 31,
  source = "gefs",
  hours = [0, 3, 6, 9, 12],
  grid = globe,
  fields = ["eastward_wind_10m", "northward_wind_10m", "wind_speed_of_gust", ...waves],
  statistics = [],
  root = temporaryFolder(),
}: PublishedEnsemble = {}) {
  const random = seeded(7);
  const times = hours.map((hour) => ensembleStart + hour * HOUR);
  const writer = await beginRun(root, {
    dataset: "Forecast",
    source,
    model: "GEFS 0.5°",
    referenceTime: times[0]!,
    grid,
    times,
    ensemble: { members, size },
  });
  const nodes = grid.latitude.count * grid.longitude.count;
  for (const name of fields)
    await writer.writeMembers(name, {}, async (time) =>
      Float32Array.from({ length: members.length * nodes }, (_, at) => {
        const [member, node] = [Math.floor(at / nodes), at % nodes];
        const isMissing = waves.includes(name) && node % 4 === 0 && member % 3 === 0;
        if (isMissing) return Number.NaN;
        const number = Math.sin(node + time) + random();
        if (name.includes("direction")) return number / 2;
        return name.includes("eastward") || name.includes("northward") ? 10 * number : 5 * Math.abs(number);
      }),
    );
  for (const name of statistics)
    await writer.writeField(name, {}, async () =>
      Float32Array.from({ length: nodes }, (_, node) => node % 100),
    );
  const run = await writer.publish();
  const store = directoryStore(root);
  const reader = openReader(store, { cacheBytes: 32 * 2 ** 20 });
  const archive = {
    ...withSources(openCatalog(store), knownSources({})),
    valuesAt: (...args: Parameters<typeof reader.valuesAt>) => reader.valuesAt(...args),
    mapStep: (...args: Parameters<typeof reader.mapStep>) => reader.mapStep(...args),
    storedFrame: async () => undefined,
  };
  return { root, run, archive };
}

import { DAY_S } from "#lib/time.ts";
import { fill, leadOf, type Mirror, type Part, type PartObjects } from "#server/ingest/feeds/field-feed.ts";

/**
 * The store of data.gouv.fr, without a key, which has fifteen days. Before 2026 the files were below object.data.gouv.fr,
 * where they are no longer.
 */
export const mirrors: readonly Mirror[] = [
  {
    name: "data.gouv.fr",
    base: "https://meteofrance-pnt.s3.rbx.io.cloud.ovh.net/pnt",
    youngerThan: 14 * DAY_S,
  },
];

/** First and last lead in the name of each file, hours. */
export const groups = [
  [0, 24],
  [25, 48],
  [49, 72],
  [73, 102],
] as const;

/** The file of a group of leads: all of its steps and surface fields. */
export function file(part: Part): PartObjects {
  const [from, to] = groups.find(([, last]) => leadOf(part) <= last)!;
  const hours = [from, to].map((hour) => `${String(hour).padStart(3, "0")}H`).join("");
  const run = "{YYYY}-{MM}-{DD}T{HH}:00:00Z";
  return {
    kind: "file",
    objects: [fill(`${run}/arpege/025/SP1/arpege__025__SP1__${hours}__${run}.grib2`, part)],
  };
}

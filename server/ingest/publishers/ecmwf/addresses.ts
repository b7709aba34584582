import { DAY_S, HOUR_S } from "#lib/time.ts";
import type { Mirror, Part } from "#server/ingest/feeds/field-feed.ts";

/** Earlier files were of 0.4°, under other names. */
const FIRST_CYCLE = Date.UTC(2024, 1, 28, 6) / 1000;
/** Cycle 50r1 of the model. Earlier cycles of 06 and 18 UTC have names of their own. */
const ONE_NAME_SINCE = Date.UTC(2026, 4, 12, 6) / 1000;
const shortCutOff = { oper: "scda", wave: "scwv" } as const;

/**
 * Amazon and Google have the archive. ECMWF's own server has the last days, and asks regular users to prefer the
 * others.
 */
export const mirrors: readonly Mirror[] = [
  { name: "AWS", base: "https://ecmwf-forecasts.s3.eu-central-1.amazonaws.com", since: FIRST_CYCLE },
  { name: "Google", base: "https://storage.googleapis.com/ecmwf-open-data", since: FIRST_CYCLE },
  { name: "ECMWF", base: "https://data.ecmwf.int/forecasts", youngerThan: 2 * DAY_S, requestsPerMinute: 60 },
];

/** Template of the file names of an IFS stream in the cycle of a part. */
export function filesOf(stream: "oper" | "wave", { cycle }: Pick<Part, "cycle">): string {
  const isShort = cycle % (12 * HOUR_S) !== 0 && cycle < ONE_NAME_SINCE;
  const called = isShort ? shortCutOff[stream] : stream;
  return `{YYYY}{MM}{DD}/{HH}z/ifs/0p25/${called}/{YYYY}{MM}{DD}{HH}0000-{F}h-${called}-fc.grib2`;
}

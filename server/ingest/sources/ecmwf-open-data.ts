import { DAY_S, HOUR_S } from "#lib/time.ts";
import { leadOf, partsAt, range, stamp } from "#server/ingest/feeds/cycle.ts";
import type {
  FieldFeed,
  Part,
  PartObjects,
  Profile,
  WantedMessage,
} from "#server/ingest/feeds/field-feed.ts";

/** What all streams of ECMWF's open data have in common. */
export const ecmwfOpenData = {
  credit:
    "Contains modified ECMWF open data, © European Centre for Medium-Range Weather Forecasts, CC BY 4.0",
  cycles: { every: 6 * HOUR_S, offset: 0 },
  delay: { first: 6.5 * HOUR_S, whole: 8 * HOUR_S },
  /** Amazon has the archive since 2023. ECMWF's own server has the last days, and asks regular users to prefer the others. */
  mirrors: [
    { name: "AWS", base: "https://ecmwf-forecasts.s3.eu-central-1.amazonaws.com" },
    { name: "Google", base: "https://storage.googleapis.com/ecmwf-open-data" },
    {
      name: "ECMWF",
      base: "https://data.ecmwf.int/forecasts",
      youngerThan: 2 * DAY_S,
      requestsPerMinute: 60,
    },
  ],
  parts: (cycle, profile) => partsAt(cycle, leads(cycle, profile)),
} satisfies Partial<FieldFeed>;

/**
 * Leads, hours: three-hourly to 144 h, then six-hourly. The cycles of 06 and 18 UTC end at 144 h.
 *
 * @param cycle Unix seconds.
 */
function leads(cycle: number, profile: Profile): number[] {
  if (profile === "lite") return range(0, 120, 3);
  const long = cycle % (12 * HOUR_S) === 0;
  const last = profile === "standard" ? 240 : 360;
  return long ? [...range(0, 144, 3), ...range(150, last, 6)] : range(0, 144, 3);
}

/** The object of one step of a stream, and its index. */
export function ecmwfObjects(
  part: Part,
  stream: "oper" | "wave",
  wanted: readonly WantedMessage[],
): PartObjects {
  const { day, hour } = stamp(part.cycle);
  const name = `${day}/${hour}z/ifs/0p25/${stream}/${day}${hour}0000-${leadOf(part)}h-${stream}-fc`;
  return {
    kind: "messages",
    object: `${name}.grib2`,
    index: { object: `${name}.index`, form: "ecmwf" },
    wanted,
  };
}

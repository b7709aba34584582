import { DAY_S, HOUR_S } from "#lib/time.ts";
import { leadOf, partsAt, range, stamp } from "#server/ingest/feeds/cycle.ts";
import type {
  FieldFeed,
  Part,
  PartObjects,
  Profile,
  WantedMessage,
} from "#server/ingest/feeds/field-feed.ts";

/** Before, files were of 0.4°, under other names. */
const FIRST_CYCLE = Date.UTC(2024, 1, 28, 6) / 1000;
/** Cycle 50r1 of the model. Before, the cycles of 06 and 18 UTC had names of their own, which they keep. */
const ONE_NAME_SINCE = Date.UTC(2026, 4, 12, 6) / 1000;
const shortCutOff = { oper: "scda", wave: "scwv" } as const;

/** What all streams of ECMWF's open data have in common. */
export const ecmwfOpenData = {
  credit:
    "Contains modified ECMWF open data, © European Centre for Medium-Range Weather Forecasts, CC BY 4.0",
  cycles: { every: 6 * HOUR_S, offset: 0 },
  delay: { first: 6.5 * HOUR_S, whole: 8 * HOUR_S },
  /** Amazon and Google have the archive. ECMWF's own server has the last days, and asks regular users to prefer the others. */
  mirrors: [
    { name: "AWS", base: "https://ecmwf-forecasts.s3.eu-central-1.amazonaws.com", since: FIRST_CYCLE },
    { name: "Google", base: "https://storage.googleapis.com/ecmwf-open-data", since: FIRST_CYCLE },
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
 * Leads, hours: three-hourly to 144 h, then six-hourly; in `lite`, where GFS comes first, six-hourly. The cycles of 06 and 18 UTC end at 144 h.
 *
 * @param cycle Unix seconds.
 */
function leads(cycle: number, profile: Profile): number[] {
  if (profile === "lite") return range(0, 120, 6);
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
  const isShort = part.cycle % (12 * HOUR_S) !== 0 && part.cycle < ONE_NAME_SINCE;
  const of = isShort ? shortCutOff[stream] : stream;
  const name = `${day}/${hour}z/ifs/0p25/${of}/${day}${hour}0000-${leadOf(part)}h-${of}-fc`;
  return {
    kind: "messages",
    object: `${name}.grib2`,
    index: { object: `${name}.index`, form: "ecmwf" },
    wanted,
  };
}

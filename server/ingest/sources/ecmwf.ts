import { type FieldName, fieldsOf } from "#lib/catalog/fields.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import {
  bytesOfMessages,
  type FieldFeed,
  fill,
  leadOf,
  messagesAt,
  ofProfiles,
  type Part,
  type PartObjects,
  type Profile,
  partsAt,
  range,
  type WantedMessage,
  wantedMessages,
} from "#server/ingest/feeds/field-feed.ts";
import { meanUntil } from "#server/ingest/plan.ts";
import {
  bearing,
  choice,
  type GribParameter,
  grib,
  modelName,
  type PlannedInput,
  rule,
  type Source,
  scaled,
  unchanged,
  waveRules,
} from "./source.ts";

const sfc = "sfc";
const surface = { type: 1, words: sfc };
const seaLevel = { type: 101, words: sfc };
const mostUnstableParcel = { type: 17, words: sfc };
const heightAbove = (metres: number) => ({ type: 103, value: metres, words: sfc });

// Bytes are those of messages of 0.25° in the index of a related model, of the others about.
const u10: GribParameter = { codes: [0, 2, 2], element: "10u", bytes: 746_000 };
const v10: GribParameter = { codes: [0, 2, 3], element: "10v", bytes: 756_000 };
/** Maximum since the previous step of the model's output; the index names the length of its window at some leads. */
const fg10: GribParameter = {
  codes: [0, 2, 22],
  element: "10fg",
  alternatives: ["10fg3", "10fg6"],
  bytes: 800_000,
};
const msl: GribParameter = { codes: [0, 3, 0], element: "msl", bytes: 488_000 };
const t2: GribParameter = { codes: [0, 0, 0], element: "2t", bytes: 573_000 };
const mucape: GribParameter = { codes: [0, 7, 6], element: "mucape", bytes: 600_000 };
/** kg m-2 s-1 at an instant; the same number is kg m-2 as an accumulation. */
const tprate: GribParameter = { codes: [0, 1, 52], element: "tprate", bytes: 500_000 };
/** ECMWF's own numbers, of its local table: metres of water, and fractions. WMO's have kg m-2, and percent. */
const tpMetres: GribParameter = { codes: [0, 1, 193], element: "tp" };
const tp: GribParameter = { codes: [0, 1, 52], element: "tp" };
const tccFraction: GribParameter = { codes: [0, 6, 192], element: "tcc", bytes: 1_390_000 };
const tccPercent: GribParameter = { codes: [0, 6, 1], element: "tcc" };

/** kg m-2 s-1 to kg m-2 h-1. */
const hourly = scaled(3600);
/** Metres of water a second to kg m-2 h-1. */
const hourlyFromMetres = scaled(3600 * 1000);

function maximumUntil([input]: readonly PlannedInput[]): string {
  const time = input?.record.kind === "grib2" ? input.record.field.time : undefined;
  return `maximum of the ${time ? (time.end - time.start) / 3600 : 0} h that end at the valid time`;
}

/** ECMWF's open data, the high-resolution forecast: `oper-fc` files. Its longitudes begin at 180° E. */
export const ecmwf: Source = {
  name: "ecmwf",
  title: "ECMWF open data: wind, gust, rain, CAPE, temperature, cloud, pressure (GRIB2)",
  dataset: "Forecast",
  model: modelName("ECMWF IFS"),
  rules: [
    rule("eastward_wind_10m", choice([grib(u10, heightAbove(10))], unchanged)),
    rule("northward_wind_10m", choice([grib(v10, heightAbove(10))], unchanged)),
    rule("wind_speed_of_gust", choice([grib(fg10, heightAbove(10), "maximum")], unchanged, maximumUntil)),
    rule(
      "precipitation_flux",
      choice([grib(tprate, surface)], hourly),
      choice([grib(tpMetres, surface, "accumulation")], hourlyFromMetres, meanUntil),
      choice([grib(tp, surface, "accumulation")], hourly, meanUntil),
    ),
    rule(
      "atmosphere_convective_available_potential_energy",
      choice([grib(mucape, mostUnstableParcel)], unchanged),
    ),
    rule("air_temperature", choice([grib(t2, heightAbove(2))], scaled(1, -273.15))),
    rule(
      "cloud_area_fraction",
      choice([grib(tccFraction, surface)], scaled(100)),
      choice([grib(tccPercent, surface)], unchanged),
    ),
    rule("air_pressure_at_mean_sea_level", choice([grib(msl, seaLevel)], scaled(0.01))),
  ],
};

const ofSeaSurface = (element: string, number: number) =>
  grib({ codes: [10, 0, number], element }, { type: 1, words: "sfc" });

/**
 * ECMWF's open data of its wave model: `wave-fc` files, land masked.
 *
 * `mwp` is the mean period from the moment of order −1 (the energy period), a true mean; `mwd` is the mean direction that
 * waves come FROM. The open data has no partitions of swell and wind waves.
 */
export const ecmwfwave: Source = {
  name: "ecmwfwave",
  title: "ECMWF open data: combined waves with a true mean period (GRIB2)",
  dataset: "Forecast",
  model: modelName("ECMWF WAM"),
  rules: waveRules(
    "sea_surface_wave",
    [choice([ofSeaSurface("swh", 3)], unchanged)],
    [choice([ofSeaSurface("mwp", 15)], unchanged, "mean period by energy (mwp)")],
    bearing(ofSeaSurface("mwd", 14)),
  ),
};

/** Before, files were of 0.4°, under other names. */
const FIRST_CYCLE = Date.UTC(2024, 1, 28, 6) / 1000;
/** Cycle 50r1 of the model. Before, the cycles of 06 and 18 UTC had names of their own, which they keep. */
const ONE_NAME_SINCE = Date.UTC(2026, 4, 12, 6) / 1000;
const shortCutOff = { oper: "scda", wave: "scwv" } as const;

/** Properties that all streams of ECMWF's open data share. */
const ecmwfOpenData = {
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

function ecmwfObjects(part: Part, stream: "oper" | "wave", wanted: readonly WantedMessage[]): PartObjects {
  const isShort = part.cycle % (12 * HOUR_S) !== 0 && part.cycle < ONE_NAME_SINCE;
  const of = isShort ? shortCutOff[stream] : stream;
  const name = `{YYYY}{MM}{DD}/{HH}z/ifs/0p25/${of}/{YYYY}{MM}{DD}{HH}0000-{F}h-${of}-fc.grib2`;
  return messagesAt(fill(name, part), "ecmwf", wanted);
}

/** At hour 0 nothing has a window yet. */
const absentAtStart: ReadonlySet<FieldName> = new Set(["wind_speed_of_gust", "precipitation_flux"]);

const wantedAtStart = ofProfiles(ecmwf, (fields) => wantedMessages(ecmwf, fields, absentAtStart));
const wantedLater = ofProfiles(ecmwf, (fields) => wantedMessages(ecmwf, fields));

/** ECMWF's high-resolution forecast at 0.25°. */
export const ecmwfFeed: FieldFeed = {
  ...ecmwfOpenData,
  name: "ecmwf",
  title: "ECMWF IFS 0.25° open data: wind, gust, rain, CAPE, air temperature, cloud, pressure",
  source: ecmwf,
  objects: (part, profile) =>
    ecmwfObjects(part, "oper", (leadOf(part) === 0 ? wantedAtStart : wantedLater)[profile]),
  partBytes: (profile) => bytesOfMessages(wantedLater[profile]),
};

const wanted = wantedMessages(ecmwfwave, fieldsOf("wave"));

/** Bytes of a message, about: 8.7 MB for 11 of them in a file of a related model. */
const MESSAGE_BYTES = 790_000;

/** ECMWF's wave model at 0.25°. */
export const ecmwfwaveFeed: FieldFeed = {
  ...ecmwfOpenData,
  name: "ecmwfwave",
  title: "ECMWF WAM 0.25° open data: combined waves with a true mean period",
  source: ecmwfwave,
  objects: (part) => ecmwfObjects(part, "wave", wanted),
  partBytes: () => wanted.length * MESSAGE_BYTES,
};

import type { FieldName } from "#lib/catalog/fields.ts";
import { leadOf } from "#server/ingest/feeds/cycle.ts";
import type { FieldFeed, Profile } from "#server/ingest/feeds/field-feed.ts";
import { wantedMessages } from "#server/ingest/feeds/wanted.ts";
import { ecmwf } from "./ecmwf.ts";
import { ecmwfObjects, ecmwfOpenData } from "./ecmwf-open-data.ts";

const light: FieldName[] = [
  "eastward_wind_10m",
  "northward_wind_10m",
  "wind_speed_of_gust",
  "air_pressure_at_mean_sea_level",
];

const fields: Readonly<Record<Profile, readonly FieldName[]>> = {
  lite: light,
  standard: ecmwf.rules.map(({ field }) => field),
  full: ecmwf.rules.map(({ field }) => field),
};

/** At hour 0 nothing has a window yet. */
const absentAtStart: ReadonlySet<FieldName> = new Set(["wind_speed_of_gust", "precipitation_flux"]);

/** Bytes of messages of 0.25° as the index of a related model has them; of the others about. */
const messageBytes: Readonly<Record<string, number>> = {
  "10u": 746_000,
  "10v": 756_000,
  "10fg": 800_000,
  msl: 488_000,
  "2t": 573_000,
  tcc: 1_390_000,
  mucape: 600_000,
  tprate: 500_000,
};

/** ECMWF's high-resolution forecast at 0.25°. */
export const ecmwfFeed: FieldFeed = {
  ...ecmwfOpenData,
  name: "ecmwf",
  title: "ECMWF IFS 0.25° open data: wind, gust, rain, CAPE, air temperature, cloud, pressure",
  source: ecmwf,
  objects: (part, profile) =>
    ecmwfObjects(
      part,
      "oper",
      wantedMessages(ecmwf, fields[profile], leadOf(part) === 0 ? absentAtStart : undefined),
    ),
  partBytes: (profile) =>
    wantedMessages(ecmwf, fields[profile]).reduce((sum, { element }) => sum + messageBytes[element]!, 0),
};

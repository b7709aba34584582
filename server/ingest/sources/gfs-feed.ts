import type { FieldName } from "#lib/catalog/fields.ts";
import { windField, windHeights } from "#lib/catalog/wind.ts";
import { leadOf, stamp } from "#server/ingest/feeds/cycle.ts";
import type { FieldFeed, Profile } from "#server/ingest/feeds/field-feed.ts";
import { wantedMessages } from "#server/ingest/feeds/wanted.ts";
import { gfs } from "./gfs.ts";
import { ncep } from "./ncep.ts";

const windAt = (heights: readonly (typeof windHeights)[number][]): FieldName[] =>
  heights.flatMap((height) => [windField("eastward", height), windField("northward", height)]);

const light: FieldName[] = [...windAt([10]), "wind_speed_of_gust", "air_pressure_at_mean_sea_level"];

const rest: FieldName[] = [
  "precipitation_flux",
  "atmosphere_convective_available_potential_energy",
  "air_temperature",
  "cloud_area_fraction",
];

/** Wind between stored heights is interpolated: three of them are near the truth at a third of the bytes of seven. */
const fields: Readonly<Record<Profile, readonly FieldName[]>> = {
  lite: light,
  standard: [...light, ...rest, ...windAt([50, 100])],
  full: [...light, ...rest, ...windAt(windHeights)],
};

const wanted = {
  lite: wantedMessages(gfs, fields.lite),
  standard: wantedMessages(gfs, fields.standard),
  full: wantedMessages(gfs, fields.full),
};

/** Mean bytes of a message of 0.25°, in an index of 2025. */
const messageBytes: Readonly<Record<string, number>> = {
  UGRD: 985_000,
  VGRD: 965_000,
  GUST: 637_000,
  PRATE: 610_000,
  CAPE: 570_000,
  TMP: 520_000,
  TCDC: 830_000,
  PRMSL: 893_000,
};

/** NOAA's Global Forecast System at 0.25°, `pgrb2` files. First steps are there 3 h 35 min after the base time. */
export const gfsFeed: FieldFeed = {
  ...ncep,
  name: "gfs",
  title: "NOAA GFS 0.25°: wind, gust, rain, CAPE, air temperature, cloud, pressure",
  source: gfs,
  delay: { first: 3 * 3600 + 35 * 60, whole: 5 * 3600 + 40 * 60 },
  objects(part, profile) {
    const { day, hour } = stamp(part.cycle);
    const lead = String(leadOf(part)).padStart(3, "0");
    const object = `gfs.${day}/${hour}/atmos/gfs.t${hour}z.pgrb2.0p25.f${lead}`;
    return {
      kind: "messages",
      object,
      index: { object: `${object}.idx`, form: "wgrib2" },
      wanted: wanted[profile],
    };
  },
  partBytes: (profile) => wanted[profile].reduce((sum, { element }) => sum + messageBytes[element]!, 0),
};

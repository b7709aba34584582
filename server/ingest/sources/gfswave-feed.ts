import { type FieldName, fieldsOf } from "#lib/catalog/fields.ts";
import { leadOf, stamp } from "#server/ingest/feeds/cycle.ts";
import type { FieldFeed, Profile } from "#server/ingest/feeds/field-feed.ts";
import { wantedMessages } from "#server/ingest/feeds/wanted.ts";
import { gfswave } from "./gfswave.ts";
import { ncep } from "./ncep.ts";

const all: FieldName[] = [...fieldsOf("wave"), ...fieldsOf("extra_wave")];

const fields: Readonly<Record<Profile, readonly FieldName[]>> = {
  lite: fieldsOf("wave"),
  standard: all,
  full: all,
};

const wanted = {
  lite: wantedMessages(gfswave, fields.lite),
  standard: wantedMessages(gfswave, fields.standard),
  full: wantedMessages(gfswave, fields.full),
};

/** Bytes of a message of 0.25°, about: 12 MB for the 19 of a step. */
const MESSAGE_BYTES = 630_000;

/** NOAA's GFS-Wave at 0.25°, `global.0p25` files of the GFS cycles. They follow the atmosphere within an hour. */
export const gfswaveFeed: FieldFeed = {
  ...ncep,
  name: "gfswave",
  title: "NOAA GFS-Wave 0.25°: combined waves, swell, wind waves",
  source: gfswave,
  delay: { first: 4 * 3600, whole: 5 * 3600 + 40 * 60 },
  objects(part, profile) {
    const { day, hour } = stamp(part.cycle);
    const lead = String(leadOf(part)).padStart(3, "0");
    const object = `gfs.${day}/${hour}/wave/gridded/gfswave.t${hour}z.global.0p25.f${lead}.grib2`;
    return {
      kind: "messages",
      object,
      index: { object: `${object}.idx`, form: "wgrib2" },
      wanted: wanted[profile],
    };
  },
  partBytes: (profile) => wanted[profile].length * MESSAGE_BYTES,
};

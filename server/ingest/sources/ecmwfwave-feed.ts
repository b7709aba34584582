import { fieldsOf } from "#lib/catalog/fields.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { wantedMessages } from "#server/ingest/feeds/wanted.ts";
import { ecmwfObjects, ecmwfOpenData } from "./ecmwf-open-data.ts";
import { ecmwfwave } from "./ecmwfwave.ts";

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

import { HOUR_S } from "#lib/time.ts";
import { range } from "#server/ingest/feeds/field-feed.ts";
import { around, publisher } from "#server/ingest/publishers/publisher.ts";
import { file, groups, mirrors } from "./addresses.ts";
import { fields } from "./fields.ts";

/** Leads, hours: hourly to 48 h, then three-hourly. Every run ends at 102 h. */
const leads = [...range(0, 48, 1), ...range(51, 102, 3)];

/** Mean of the four files of a run of August 2026, whose package has 0.7 GB. */
const FILE_BYTES = 175_000_000;

/**
 * Météo-France's global model ARPEGE, interpolated to 0.25°: one file for a day of steps, with all surface fields. The files
 * have no index, so all of their bytes are fetched in every profile. The model has no waves and the package no CAPE.
 */
export const arpege = publisher({
  name: "arpege",
  title: "Météo-France ARPEGE",
  model: "ARPEGE",
  licence: "Licence Ouverte 2.0",
  credit: "Source: Météo-France, ARPEGE, Licence Ouverte 2.0 (Etalab)",
  fields,
  feed: {
    grid: around(0.25),
    cycles: { every: 6 * HOUR_S, offset: 0 },
    // Measured by others in August 2026: the first file after 2.7 to 4 h, the last one after 4 to 5 h.
    delay: { first: 2.75 * HOUR_S, whole: 5 * HOUR_S },
    parts: (cycle) =>
      groups.map(([from, to], index) => ({
        cycle,
        index,
        times: leads.filter((lead) => lead >= from && lead <= to).map((lead) => cycle + lead * HOUR_S),
      })),
    mirrors,
    objects: file,
    partBytes: () => FILE_BYTES,
  },
});

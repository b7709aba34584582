import { HOUR_S } from "#lib/time.ts";
import { ensemble } from "#server/ingest/publishers/ensemble.ts";
import { memberWord, waves } from "#server/ingest/publishers/gefs/addresses.ts";
import { leads, memberLeads, members, shared } from "#server/ingest/publishers/gefs/publisher.ts";
import { combined } from "#server/ingest/publishers/gfswave/fields.ts";
import { around } from "#server/ingest/publishers/publisher.ts";

const files = () => members.map((number) => ({ name: waves(memberWord(number)), parts: [number] }));

/** Waves of NOAA's ensemble, by the messages of GFS-Wave: all waves together, whose period is close to that of the peak. */
export const gefswave = ensemble({
  name: "gefswave",
  system: "gefs",
  title: "NOAA GEFS-Wave",
  model: "GEFS-Wave",
  ...shared,
  fields: combined,
  // This is the estimate for GFS-Wave.
  messageBytes: 630_000,
  // Not verified here: they are taken to follow the atmosphere as those of GFS do.
  delay: { first: 4 * HOUR_S, whole: 6 * HOUR_S },
  plans: {
    mean: {
      grid: around(0.25),
      leads,
      files: () => [
        { name: waves("mean"), parts: ["mean"] },
        { name: waves("spread"), parts: ["spread"] },
      ],
    },
    statistics: { grid: around(0.25), leads, files },
    members: { grid: around(0.25), stride: 2, leads: memberLeads, files },
  },
});

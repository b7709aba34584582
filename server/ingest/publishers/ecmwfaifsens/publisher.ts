import { HOUR_S } from "#lib/time.ts";
import { type Profile, range } from "#server/ingest/feeds/field-feed.ts";
import { credit, licence } from "#server/ingest/publishers/ecmwf/publisher.ts";
import { mirrors } from "#server/ingest/publishers/ecmwfaifs/addresses.ts";
import { last, rhythm } from "#server/ingest/publishers/ecmwfaifs/publisher.ts";
import { fields } from "#server/ingest/publishers/ecmwfens/publisher.ts";
import { ensemble, perturbed } from "#server/ingest/publishers/ensemble.ts";
import { around } from "#server/ingest/publishers/publisher.ts";

const stem = "{YYYY}{MM}{DD}/{HH}z/aifs-ens/0p25/enfo/{YYYY}{MM}{DD}{HH}0000-{F}h-enfo";
const files = () => [
  { name: `${stem}-cf.grib2`, parts: [0] },
  { name: `${stem}-pf.grib2`, parts: perturbed(50) },
];
const leads = (_: number, profile: Profile) => range(0, last[profile], 6);

/**
 * ECMWF's AIFS ENS, an ensemble of forecasts by machine learning: 50 members and a control of its own, six-hourly. It has no
 * gusts.
 */
export const ecmwfaifsens = ensemble({
  name: "ecmwfaifsens",
  title: "ECMWF AIFS ENS open data",
  remark: "six-hourly, by machine learning",
  model: "ECMWF AIFS ENS",
  licence,
  credit,
  size: 51,
  fields: fields.filter(({ field }) => field !== "wind_speed_of_gust"),
  index: "ecmwf",
  cycles: rhythm.cycles,
  // Public code saw whole runs after 5:56 h, and 95 % of them after 7:11 h.
  delay: { first: rhythm.delay.first, whole: 7.25 * HOUR_S },
  mirrors,
  plans: {
    statistics: { grid: around(0.25), stride: 2, leads, files },
    members: { grid: around(0.25), stride: 2, leads, files },
  },
});

import { HOUR_S } from "#lib/time.ts";
import { type Profile, range } from "#server/ingest/feeds/field-feed.ts";
import { ensemble, perturbed } from "#server/ingest/publishers/ensemble.ts";
import { around } from "#server/ingest/publishers/publisher.ts";
import { halfDegree, memberWord, mirrors, quarterDegree } from "./addresses.ts";
import { fields } from "./fields.ts";

/** Numbers of the members: the control, and 30 others. */
export const members = [0, ...perturbed(30)];

/** Properties that the atmosphere and the waves of the ensemble have in common. */
export const shared = {
  licence: "public domain",
  credit: "NOAA/NCEP, public domain",
  size: members.length,
  index: "wgrib2",
  cycles: { every: 6 * HOUR_S, offset: 0 },
  mirrors,
} as const;

/** Leads of a plan without members, hours: three-hourly to 240 h, where the files of 0.25° end. */
export function leads(_: number, profile: Profile): number[] {
  return profile === "lite" ? range(0, 120, 6) : range(0, 240, 3);
}

/** Leads of members that are stored, hours: six-hourly where they take less than half of the disk. */
export function memberLeads(cycle: number, profile: Profile): number[] {
  return profile === "full" ? leads(cycle, profile) : range(0, profile === "lite" ? 120 : 240, 6);
}

/**
 * NOAA's Global Ensemble Forecast System: 31 forecasts. Mean, spread and statistics have 0.25°; the members that are stored
 * have 0.5°, whose files are a third as large. Gusts of 0.5° have files of their own.
 */
export const gefs = ensemble({
  name: "gefs",
  title: "NOAA GEFS",
  model: "GEFS",
  ...shared,
  fields,
  delay: { first: 3 * HOUR_S + 46 * 60, whole: 5 * HOUR_S + 40 * 60 },
  plans: {
    mean: {
      grid: around(0.25),
      leads,
      files: () => [
        { name: quarterDegree("avg"), parts: ["mean"] },
        { name: quarterDegree("spr"), parts: ["spread"] },
      ],
    },
    statistics: {
      grid: around(0.25),
      leads,
      files: () => members.map((number) => ({ name: quarterDegree(memberWord(number)), parts: [number] })),
    },
    members: {
      grid: around(0.5),
      leads: memberLeads,
      messageSize: 0.31,
      files: () =>
        members.flatMap((number) => [
          {
            name: halfDegree("a", memberWord(number)),
            parts: [number],
            fields: ["eastward_wind_10m", "northward_wind_10m", "air_pressure_at_mean_sea_level"],
          },
          { name: halfDegree("b", memberWord(number)), parts: [number], fields: ["wind_speed_of_gust"] },
        ]),
    },
  },
});

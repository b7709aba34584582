import { HOUR_S } from "#lib/time.ts";
import type { Part, Profile } from "#server/ingest/feeds/field-feed.ts";
import { fields as ofIfs } from "#server/ingest/publishers/ecmwf/fields.ts";
import {
  credit,
  leads as ifsLeads,
  licence,
  rhythm as ofIfsRhythm,
} from "#server/ingest/publishers/ecmwf/publisher.ts";
import { ensemble } from "#server/ingest/publishers/ensemble.ts";
import { fields as ofGefs } from "#server/ingest/publishers/gefs/fields.ts";
import { around } from "#server/ingest/publishers/publisher.ts";
import { ensembleFiles, mirrors } from "./addresses.ts";

/** Publication times of both streams. The first steps come with the deterministic forecast, and f360 at 8:09 h. */
export const rhythm = {
  cycles: ofIfsRhythm.cycles,
  delay: { first: ofIfsRhythm.delay.first, whole: 8.25 * HOUR_S },
};

export const size = 51;

/** Leads of members that are stored, hours. */
export function memberLeads(cycle: number, profile: Profile): number[] {
  const all = ifsLeads(cycle, profile);
  return profile === "full" ? all : all.filter((lead) => lead % 6 === 0);
}

/**
 * The plans of a stream. Both store 0.5°: 0.25° takes four times the disk, and statistics of 51 members of 0.25° take 0.7 GB of
 * memory while they are made; see docs/benchmarks.md.
 */
export function plansOf(stream: "enfo" | "waef") {
  const files = (part: Part) => ensembleFiles(stream, part);
  return {
    statistics: { grid: around(0.25), stride: 2, leads: ifsLeads, files },
    members: { grid: around(0.25), stride: 2, leads: memberLeads, files },
  };
}

const counted = new Set(ofGefs.map(({ field }) => field));
/** ECMWF's rules for the fields that GEFS has. */
export const fields = ofIfs.filter(({ field }) => counted.has(field));

/**
 * ECMWF's ensemble, in its open data: 50 members, and the deterministic forecast as their control. Its mean and its spread
 * are not published for wind and waves.
 */
export const ecmwfens = ensemble({
  name: "ecmwfens",
  title: "ECMWF ENS open data",
  model: "ECMWF ENS",
  licence,
  credit,
  size,
  fields,
  index: "ecmwf",
  absentAtStart: ["wind_speed_of_gust"],
  ...rhythm,
  mirrors,
  plans: plansOf("enfo"),
});

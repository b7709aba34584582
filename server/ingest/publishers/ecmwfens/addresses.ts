import type { Mirror, Part } from "#server/ingest/feeds/field-feed.ts";
import { filesOf, mirrors as ofIfs } from "#server/ingest/publishers/ecmwf/addresses.ts";
import { perturbed } from "#server/ingest/publishers/ensemble.ts";

/** Cycle 50r1 of the model, since which the control of the ensemble is the deterministic forecast. */
const FIRST_CYCLE = Date.UTC(2026, 4, 12, 6) / 1000;

export const mirrors: readonly Mirror[] = ofIfs.map((mirror) => ({ ...mirror, since: FIRST_CYCLE }));

const folder = "{YYYY}{MM}{DD}/{HH}z/ifs/0p25";
const members = perturbed(50);

/** The members of a stream, all of which one file has, and their control, which is the deterministic forecast. */
export function ensembleFiles(stream: "enfo" | "waef", part: Part) {
  return [
    { name: filesOf(stream === "enfo" ? "oper" : "wave", part), parts: [0] },
    { name: `${folder}/${stream}/{YYYY}{MM}{DD}{HH}0000-{F}h-${stream}-ef.grib2`, parts: members },
  ];
}

import type { Mirror } from "#server/ingest/feeds/field-feed.ts";
import { mirrors as ofIfs } from "#server/ingest/publishers/ecmwf/addresses.ts";

/** Version 2 of the model. Not verified here: whether files of before have the same names and parameters. */
const FIRST_CYCLE = Date.UTC(2026, 4, 12, 6) / 1000;

export const mirrors: readonly Mirror[] = ofIfs.map((mirror) => ({ ...mirror, since: FIRST_CYCLE }));

export const files = "{YYYY}{MM}{DD}/{HH}z/aifs-single/0p25/oper/{YYYY}{MM}{DD}{HH}0000-{F}h-oper-fc.grib2";

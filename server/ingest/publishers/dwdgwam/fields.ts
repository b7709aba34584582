import {
  bearing,
  type Choice,
  choice,
  type FieldRule,
  type GribSelector,
  grib,
  unchanged,
  waveRules,
} from "#server/ingest/sources/source.ts";

/** The surface, or the mean sea level: which of the two the files name is not documented. */
const levels = [1, 101].map((type) => ({ type, words: "" }));

const messages = (element: string, number: number) =>
  levels.map((level) => grib({ codes: [10, 0, number], element }, level));

const values = (found: readonly GribSelector[], comment?: string): Choice[] =>
  found.map((message) => choice([message], unchanged, comment));

const directions = (found: readonly GribSelector[]) => (part: "x" | "y") =>
  found.flatMap((message) => bearing(message)(part));

/**
 * Fields by the names of the files, one each. Directions are those that waves come FROM. The period of all waves is that of
 * the moments −1 and 0, those of swell and wind waves are of the moments 0 and 1.
 */
export const fields: readonly FieldRule[] = [
  ...waveRules(
    "sea_surface_wave",
    values(messages("swh", 3)),
    values(messages("tm10", 15), "mean period by energy (TM10)"),
    directions(messages("mwd", 14)),
  ),
  ...waveRules(
    "sea_surface_wind_wave",
    values(messages("shww", 5)),
    values(messages("mpww", 6)),
    directions(messages("mdww", 4)),
  ),
  ...waveRules(
    "sea_surface_swell_wave",
    values(messages("shts", 8)),
    values(messages("mpts", 9)),
    directions(messages("mdts", 7)),
  ),
];

import { fromKnots } from "#lib/knots.ts";
import type { Isolines, Mark } from "./variable-row.ts";

/** Lower limits of forces 4 to 12, knots (WMO No. 306, code table 1100), with the names of those that people watch. */
const forces: readonly (Omit<Mark, "at" | "text"> & { knots: number })[] = [
  { knots: 11 },
  { knots: 17 },
  { knots: 22, name: "strong" },
  { knots: 28 },
  { knots: 34, name: "gale", bold: true },
  { knots: 41 },
  { knots: 48, name: "storm" },
  { knots: 56 },
  { knots: 64, name: "hurricane", bold: true },
];

/** Lines are named in knots in every unit, as the feathers of barbs count them. More of them at night: see `Isolines`. */
const allLimits: readonly Mark[] = forces.map(({ knots, ...rest }) => ({
  at: fromKnots(knots),
  text: String(knots),
  ...rest,
}));

/** 22, 34, 48 and 64 kn begin forces 6, 8, 10 and 12, by which warnings are issued. */
const windLimits = allLimits.filter(({ name }) => name !== undefined);

/** Lines of equal speed of wind and gusts. */
export const windLines = {
  title: "Lines of wind speed",
  unit: "kn",
  at: windLimits,
  atNight: allLimits,
} as const satisfies Isolines;

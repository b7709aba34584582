import { bearingX, bearingY } from "./convert.ts";
import { type Choice, choice, type FieldRule, rule, type Selector } from "./source.ts";

/** The stored fields of a wave system, each with its choices. @param direction Of the components of the direction. */
export function waveRules(
  system: "sea_surface_wave" | "sea_surface_swell_wave" | "sea_surface_wind_wave",
  height: readonly Choice[],
  period: readonly Choice[],
  direction: (part: "x" | "y") => readonly Choice[],
): FieldRule[] {
  return [
    rule(`${system}_significant_height`, ...height),
    rule(`${system}_mean_period`, ...period),
    rule(`${system}_from_direction_x`, ...direction("x")),
    rule(`${system}_from_direction_y`, ...direction("y")),
  ];
}

/** The direction of waves as a file has it, in degrees FROM. */
export function bearing(selector: Selector, comment?: string): (part: "x" | "y") => Choice[] {
  const directions = selector.kind === "grib2" ? { ...selector, isDirection: true } : selector;
  return (part) => [choice([directions], part === "x" ? bearingX : bearingY, comment)];
}

import { type Field, field, type OutputRow, value } from "./variable-row.ts";

/** CF standard names of the systems of waves begin with these. */
type System = "sea_surface_wave" | "sea_surface_swell_wave" | "sea_surface_wind_wave";

type WaveField<S extends System> =
  `${S}_${"significant_height" | "mean_period" | "from_direction_x" | "from_direction_y"}`;

/** Stored fields of a wave system: height, period and the unit vector of the direction that it comes FROM. */
export function waveFields<S extends System>(system: S, called: string) {
  const component = (axis: string) =>
    field(
      `${system}_from_direction`,
      `${axis} component of the unit vector along the bearing that ${called} come from`,
      "1",
      // Turns a bearing by 0.008° at most.
      0.0002,
    );
  return {
    [`${system}_significant_height`]: field(
      `${system}_significant_height`,
      `significant height of ${called}`,
      "m",
      0.01,
    ),
    [`${system}_mean_period`]: field(`${system}_mean_period`, `mean period of ${called}`, "s", 0.01),
    [`${system}_from_direction_x`]: component("eastward (sine)"),
    [`${system}_from_direction_y`]: component("northward (cosine)"),
  } as Record<WaveField<S>, Field>;
}

/** Public numbers of a wave system: direction, height and period. @param name First part of their public names. */
export function waveOutputs<Name extends string, S extends System>(name: Name, system: S, called: string) {
  return [
    {
      point: `${name}_Mean_Direction`,
      unit: "°",
      decimals: 1,
      title: `${called}, direction from`,
      is: "bearing",
      of: [`${system}_from_direction_x`, `${system}_from_direction_y`],
      magnitude: `${system}_significant_height`,
    },
    value(
      `${name}_Significant_Height`,
      "m",
      2,
      `${called}, significant height`,
      `${system}_significant_height`,
    ),
    value(`${name}_Mean_Period`, "s", 1, `${called}, mean period`, `${system}_mean_period`),
  ] as const satisfies readonly OutputRow<WaveField<S>>[];
}

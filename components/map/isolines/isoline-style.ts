import type { Frame } from "#lib/field/frame.ts";

/** How a field is drawn as lines. */
export interface IsolineStyle {
  /** Index of the band that is contoured. */
  band: number;
  /** Interval between levels, in the unit of the field. */
  step: number;
  /** Levels drawn bold: multiples of this. */
  boldEvery: number;
  /** Unit written after the number. */
  unit: string;
  /** Minimum prominence of the highs and lows that are marked; undefined marks none. */
  prominence: number | undefined;
}

const styles: Record<string, Omit<IsolineStyle, "band">> = {
  // Isobars as on surface charts: each 4 hPa, 1000 bold.
  air_pressure_at_mean_sea_level: { step: 4, boldEvery: 1000, unit: "", prominence: 0.6 },
  sea_surface_wave_significant_height: { step: 1, boldEvery: 5, unit: "\u202fm", prominence: undefined },
};

/** Line style of the first band of a frame that has one. */
export function isolineStyleOf({ planes }: Frame): IsolineStyle | undefined {
  const band = planes.findIndex(({ name }) => name in styles);
  const style = styles[planes[band]?.name ?? ""];
  return style && { ...style, band };
}

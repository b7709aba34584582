import { drawnVariables, layerRow, paintedOutput } from "#lib/catalog/colours.ts";
import type { Isolines } from "#lib/catalog/variable-row.ts";
import type { Frame } from "#lib/field/frame.ts";

/** How a field is drawn as lines. */
export interface IsolineStyle extends Isolines {
  /** Index of the band that is contoured. */
  band: number;
}

const styles = new Map<string, Isolines | undefined>(
  drawnVariables.map((name) => [paintedOutput(name).of[0], layerRow(name).isolines]),
);

/** Line style of the first band of a frame that has one. */
export function isolineStyleOf({ bands }: Frame): IsolineStyle | undefined {
  const band = bands.findIndex(({ name }) => styles.get(name));
  const style = styles.get(bands[band]?.name ?? "");
  return style && { ...style, band };
}

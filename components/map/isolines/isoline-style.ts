import { type DrawnVariable, drawnVariables, layerRow, paintedOutput } from "#lib/catalog/colours.ts";
import type { Isolines } from "#lib/catalog/variable-row.ts";
import type { Frame } from "#lib/field/frame.ts";
import type { Words } from "#lib/messages/words.ts";

/** How a field is drawn as lines. */
export type IsolineStyle = Isolines & {
  /** Index of the contoured band; for the length of a vector, index of its first component. */
  band: number;
  ofLength: boolean;
  /** Unit written after the numbers. */
  suffix: string;
};

const styles = new Map(
  drawnVariables.flatMap((name) => {
    const { isolines } = layerRow(name);
    const { is, of } = paintedOutput(name);
    return isolines ? [[of[0] as string, { isolines, ofLength: is === "speed" }] as const] : [];
  }),
);

/**
 * Dash pattern, in line widths, that distinguishes the lines of two quantities over one layer without using
 * colour.
 */
export function dashesOf(lined: DrawnVariable): readonly number[] | undefined {
  const { isolines } = layerRow(lined);
  return isolines && "dashed" in isolines && isolines.dashed ? [4, 2] : undefined;
}

/**
 * Line style of the first band of a frame that has one. @param night Whether to use the chosen values of the
 * night theme.
 */
export function isolineStyleOf(
  { bands }: Frame,
  night: boolean,
  { catalog }: Words,
): IsolineStyle | undefined {
  const band = bands.findIndex(({ name }) => styles.has(name));
  const style = styles.get(bands[band]?.name ?? "");
  if (!style) return undefined;
  const { isolines, ofLength } = style;
  const shown = night && "at" in isolines ? { ...isolines, at: isolines.atNight } : isolines;
  const suffix = isolines.unit ? `\u202f${catalog.units[isolines.unit].symbol}` : "";
  return { ...shown, band, ofLength, suffix };
}

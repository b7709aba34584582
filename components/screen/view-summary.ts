import { bearingAt } from "#components/map/bearing-at.ts";
import { paintedValue } from "#components/map/painted-value.ts";
import { readingOf } from "#components/view-state/layers.ts";
import type { Place } from "#components/view-state/view-url.ts";
import { type DrawnVariable, paintedOutput } from "#lib/catalog/colours.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { normaliseLongitude } from "#lib/field/grid.ts";
import type { FramePair } from "#lib/field/sample.ts";
import { compassPoint, positionText } from "#lib/position.ts";
import { numberIn, textIn, type Units, unitFor } from "#lib/units.ts";

/** A value of the layer at a place; NaN where there is none. */
export interface ViewValue extends Place {
  value: number;
}

/** Beyond these the Mercator map shows nothing worth a number. */
const MAX_LATITUDE = 85;

/**
 * Values of the layer on a lattice over what is in view, in rows from north to south.
 *
 * @param size Rows and columns, the outermost half a cell inside the edges.
 */
export function valuesInView(
  pair: FramePair,
  layer: DrawnVariable,
  box: ViewBox,
  size: number,
): ViewValue[][] {
  const [south, north] = [Math.max(-MAX_LATITUDE, box.south), Math.min(MAX_LATITUDE, box.north)];
  const [west, east] = [box.west, Math.min(box.east, box.west + 360)];
  const along = (index: number) => (index + 0.5) / size;
  return Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_, column) => {
      const latitude = north - (north - south) * along(row);
      const turned = west + (east - west) * along(column);
      const longitude = normaliseLongitude(turned);
      return { latitude, longitude, value: paintedValue(pair, layer, { latitude, longitude }) };
    }),
  );
}

/** Rows and columns that the summary looks at. */
const LOOK = 24;

/**
 * The map in words: what is at its middle, and the range in view, of each field.
 *
 * @param fields The layer, then what lies over it as lines.
 */
export function viewSummary(
  fields: readonly { variable: DrawnVariable; pair: FramePair | undefined }[],
  centre: Place,
  box: ViewBox,
  units: Units,
): string {
  const told = fields.flatMap(({ variable, pair }) =>
    pair ? [fieldSummary(pair, variable, centre, box, units)] : [],
  );
  const opening = `Centre ${positionText(centre.latitude, centre.longitude)}.`;
  return [opening, ...told].join(" ");
}

function fieldSummary(
  pair: FramePair,
  layer: DrawnVariable,
  centre: Place,
  box: ViewBox,
  units: Units,
): string {
  const output = paintedOutput(layer);
  const unit = unitFor(output.unit, units, readingOf(layer));
  const here = paintedValue(pair, layer, centre);
  const bearing = bearingAt(pair, layer, centre);
  const direction = bearing ? ` ${bearing.sense} ${compassPoint(bearing.degrees)}` : "";
  const middle = Number.isNaN(here)
    ? `${output.title} not available there.`
    : `${output.title} ${numberIn(here, unit)} ${unit.spoken}${direction}.`;
  const known = valuesInView(pair, layer, box, LOOK)
    .flat()
    .filter(({ value }) => !Number.isNaN(value));
  const first = known[0];
  if (!first) return `${middle} No values in view.`;
  const least = known.reduce((one, other) => (other.value < one.value ? other : one), first);
  const most = known.reduce((one, other) => (other.value > one.value ? other : one), first);
  const range = `In view ${numberIn(least.value, unit)} to ${numberIn(most.value, unit)} ${unit.spoken}`;
  const extreme = readingOf(layer) === "deep" ? "deepest" : "highest";
  return `${middle} ${range}, ${extreme} near ${positionText(most.latitude, most.longitude)}.`;
}

/** A value as the table of the view has it. */
export function viewValueText(value: number, layer: DrawnVariable, units: Units): string {
  const unit = unitFor(paintedOutput(layer).unit, units, readingOf(layer));
  return Number.isNaN(value) ? "—" : textIn(value, unit);
}

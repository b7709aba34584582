import type { ViewBox } from "@open-metocean/geo/box";
import { coordinates, normaliseLongitude } from "@open-metocean/geo/grid";
import { bearingAt, paintedDifference, paintedValue } from "#components/map/painted-value.ts";
import { layerTitle, paintedUnitFor, readingOf } from "#components/view-state/overlays.ts";
import type { Place } from "#components/view-state/view-url.ts";
import { type PaintedName, paintedUnit } from "#lib/catalog/painted.ts";
import type { FramePair } from "#lib/field/interpolate.ts";
import type { Words } from "#lib/messages/words.ts";
import { compassPoint, positionText } from "#lib/position.ts";
import { differenceUnit, numberIn, signedIn, spokenIn, textIn, type Units } from "#lib/units.ts";

/** A value of the layer at a place; NaN if it is missing. */
export interface ViewValue extends Place {
  value: number;
}

/** Latitude at which sampling ends, because the Mercator map ends there, degrees. */
const MAX_LATITUDE = 85;

/**
 * Values of the layer on a lattice over the view, in rows from north to south.
 *
 * @param size Number of rows and columns; the outermost ones are half a cell inside the edges.
 */
export function valuesInView(pair: FramePair, layer: PaintedName, box: ViewBox, size: number): ViewValue[][] {
  const [south, north] = [Math.max(-MAX_LATITUDE, box.south), Math.min(MAX_LATITUDE, box.north)];
  const [west, east] = [box.west, Math.min(box.east, box.west + 360)];
  const along = (index: number) => (index + 0.5) / size;
  return Array.from({ length: size }, (_, row) =>
    Array.from({ length: size }, (_, column) => {
      const latitude = north - (north - south) * along(row);
      const longitude = normaliseLongitude(west + (east - west) * along(column));
      return { latitude, longitude, value: paintedValue(pair, layer, { latitude, longitude }) };
    }),
  );
}

/**
 * Rows and columns of the summary's lattice, which is used in addition to the field's nodes because a view
 * may lie between four of them.
 */
const SUMMARY_SIZE = 24;

/**
 * Values at all nodes of the drawn field in the view, between which no value is higher, and on the lattice.
 */
function* valuesForRange({ pair, variable, base }: ShownField, box: ViewBox): Generator<ViewValue> {
  const at = (place: Place) => ({ ...place, value: shownValue({ pair, variable, base }, place) });
  yield* valuesInView(pair, variable, box, SUMMARY_SIZE).flat().map(at);
  const { south, north, west, east } = box;
  const { latitude: rows, longitude: columns } = pair.before.grid;
  const width = Math.min(360, east - west);
  const longitudes = [...coordinates(columns)].filter((degrees) => eastOf(west, degrees) <= width);
  for (const latitude of coordinates(rows)) {
    if (latitude < south || latitude > north) continue;
    for (const degrees of longitudes) {
      const longitude = normaliseLongitude(degrees);
      yield at({ latitude, longitude });
    }
  }
}

/** Distance from one meridian eastward to another one, 0..360 degrees. */
function eastOf(west: number, longitude: number): number {
  return (((longitude - west) % 360) + 360) % 360;
}

/** A drawn field. */
export interface DrawnField {
  variable: PaintedName;
  pair: FramePair | undefined;
  /** Frames that are subtracted, where the difference of two pictures is drawn. */
  base?: FramePair | undefined;
}

type ShownField = DrawnField & { pair: FramePair };

const shownValue = ({ pair, base, variable }: ShownField, place: Place) =>
  base ? paintedDifference(pair, base, variable, place) : paintedValue(pair, variable, place);

/**
 * The map in words: the value at the centre and the range in view for each field.
 *
 * @param fields The layer, then the fields drawn as lines over it.
 * @param other Picture B if two are compared: its field, and its time in words. The layer then belongs to A.
 */
export function viewSummary(
  fields: readonly DrawnField[],
  centre: Place,
  box: ViewBox,
  units: Units,
  words: Words,
  other?: DrawnField & { time: string },
): string {
  const summaryOf = ({ pair, ...field }: DrawnField) => {
    if (!pair) return [];
    const text = fieldSummary({ ...field, pair }, centre, box, units, words);
    return [field.base ? words.compare.of({ side: "both", text }) : text];
  };
  const summaries = fields.flatMap(summaryOf);
  const opening = words.screen.view.centre({ position: positionText(centre.latitude, centre.longitude) });
  if (!other?.pair) return [opening, ...summaries].join(words.ui.joins.sentences);
  const { of } = words.compare;
  const sides = [
    of({ side: "a", text: summaries.join(words.ui.joins.sentences) }),
    of({ side: "b", text: `${other.time}: ${summaryOf(other).join(words.ui.joins.sentences)}` }),
  ];
  return [opening, ...sides].join(words.ui.joins.sentences);
}

function fieldSummary(field: ShownField, centre: Place, box: ViewBox, units: Units, words: Words): string {
  const { view } = words.screen;
  const { pair, base, variable: layer } = field;
  const unit = base
    ? differenceUnit(paintedUnit(layer), units, readingOf(layer), words)
    : paintedUnitFor(layer, units, words);
  const spoken = (value: number) => (base ? signedIn(value, unit) : spokenIn(value, unit));
  const title = layerTitle(layer, words);
  const here = shownValue(field, centre);
  const bearing = base ? undefined : bearingAt(pair, layer, centre);
  const form = bearing?.sense === "from" ? "pointsFrom" : "pointsTowards";
  const atCentre = Number.isNaN(here)
    ? view.notThere({ title })
    : view.value({
        title,
        value: spoken(here),
        sense: bearing?.sense,
        point: bearing ? compassPoint(bearing.degrees, words, form) : "",
      });
  let [lowest, highest]: [ViewValue?, ViewValue?] = [];
  for (const one of valuesForRange(field, box)) {
    if (Number.isNaN(one.value)) continue;
    if (!lowest || one.value < lowest.value) lowest = one;
    if (!highest || one.value > highest.value) highest = one;
  }
  if (!lowest || !highest) return [atCentre, view.noValues].join(words.ui.joins.sentences);
  const range = view.range({
    low: base ? signedIn(lowest.value, unit) : numberIn(lowest.value, unit),
    high: spoken(highest.value),
    position: positionText(highest.latitude, highest.longitude),
    isDepth: readingOf(layer) === "deep",
  });
  return [atCentre, range].join(words.ui.joins.sentences);
}

/** A value in the table of the view. */
export function formatViewValue(value: number, layer: PaintedName, units: Units, words: Words): string {
  const unit = paintedUnitFor(layer, units, words);
  return Number.isNaN(value) ? "—" : textIn(value, unit);
}

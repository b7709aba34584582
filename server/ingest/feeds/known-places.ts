import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { coordinate, type Grid } from "#lib/field/grid.ts";

/** Latitude and longitude, degrees. */
type Place = readonly [number, number];

/** Open ocean hundreds of kilometres from any coast or island, without ice in any season. */
const sea: readonly Place[] = [
  [45, -35],
  [30, -45],
  [20, -40],
  [10, -30],
  [53, -30],
  [35, -60],
  [-10, -20],
  [-25, -18],
  [-40, -30],
  [-45, 5],
  [-30, -3],
  [-12, 82],
  [-20, 85],
  [-35, 90],
  [-42, 95],
  [5, 88],
  [12, 64],
  [-30, 65],
  [25, -140],
  [40, -150],
  [45, 172],
  [32, 172],
  [10, -130],
  [5, -110],
  [-15, -100],
  [-32, -100],
  [-45, -120],
  [-40, -160],
  [-36, -140],
  [-50, -140],
  [17, 155],
  [27, 150],
  [37, 160],
  [-50, 105],
];

/** The inner parts of continents and ice sheets, away from lakes. */
const inland: readonly Place[] = [
  [24, 5],
  [19, 20],
  [-2, 22],
  [-23, 22],
  [9, 39],
  [22, 46],
  [33, 56],
  [49, 68],
  [62, 100],
  [60, 85],
  [65, 125],
  [46, 103],
  [33, 88],
  [22, 79],
  [31, 104],
  [-25, 133],
  [-27, 124],
  [-10, -52],
  [-18, -50],
  [-5, -64],
  [-30, -64],
  [40, -100],
  [36, -96],
  [45, -108],
  [55, -113],
  [51, -108],
  [65, -152],
  [73, -40],
  [-79, 95],
  [-78, 120],
  [50, 27],
  [53, 40],
];

/** Share of the places that may be otherwise: coarse grids, and models with coasts of their own. */
const TOLERATED = 0.1;

/** What is at sea only, at all of it but below ice. */
const ofTheSea = /^(sea_surface_wave_|sea_surface_temperature|surface_.*_sea_water_velocity|sea_floor_depth)/;
/** What may be absent anywhere at sea: a calm has no wind sea. */
const ofSomeSea = /^sea_surface_(swell|wind)_wave_/;
const ofAllPlaces = /wind|air_temperature|air_pressure/;

/**
 * Why a field of the globe cannot be where it is, whatever was before it: a first run has no other land mask to be compared
 * with.
 *
 * @param values Catalog's unit, NaN = missing; (rows, columns) of the grid.
 * @returns Words for the operator; undefined if nothing is wrong with it.
 */
export function misplaced(name: FieldName, values: Float32Array, grid: Grid): string | undefined {
  const { standardName } = fields[name];
  const isOfSea = ofTheSea.test(standardName);
  const isOfSomeSea = ofSomeSea.test(standardName);
  if (isOfSea) {
    const [missing, of] = missingAt(sea, values, grid);
    if (missing > TOLERATED * of) return `${name} is missing at ${missing} of ${of} places of the open ocean`;
  }
  if (isOfSea || isOfSomeSea) {
    const [missing, of] = missingAt(inland, values, grid);
    if (of - missing > TOLERATED * of)
      return `${name} has values at ${of - missing} of ${of} places far inland`;
  } else if (ofAllPlaces.test(standardName)) {
    const [missing, of] = missingAt([...sea, ...inland], values, grid);
    if (missing > TOLERATED * of)
      return `${name} is missing at ${missing} of ${of} places, where it is never missing`;
  }
  return undefined;
}

/** Places at whose nearest node a value is missing, and places that the grid has. */
function missingAt(places: readonly Place[], values: Float32Array, grid: Grid): [number, number] {
  const { latitude, longitude } = grid;
  let [missing, of] = [0, 0];
  for (const [north, east] of places) {
    const row = Math.round((north - latitude.start) / latitude.step);
    if (row < 0 || row >= latitude.count) continue;
    const turn = (((east - coordinate(longitude, 0)) % 360) + 360) % 360;
    const column = Math.round(turn / longitude.step) % longitude.count;
    of++;
    if (Number.isNaN(values[row * longitude.count + column]!)) missing++;
  }
  return [missing, of];
}

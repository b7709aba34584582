import { type Axis, type Grid, normaliseLongitude } from "#lib/field/grid.ts";

/** The part of a variable that lies on a latitude/longitude grid, and how its rows and columns get there. */
export interface GridPlacement {
  grid: Grid;
  /** Rows are stored north to south. */
  flipRows: boolean;
  /** Columns are stored east to west. */
  flipColumns: boolean;
  /** Stored column, in ascending order of longitude, that comes first on the grid; then round the globe. */
  firstColumn: number;
}

/** Coordinates that no regular latitude/longitude grid has. */
export class IrregularAxisError extends Error {
  override readonly name = "IrregularAxisError";
}

/** How far a coordinate may be from its regular place, as a share of the step: some files keep two decimals. */
const TOLERANCE = 0.02;

/** Relative resolution of a float32 coordinate: two neighbouring values of it. */
const FLOAT32 = 2 ** -22;

/**
 * Places latitude and longitude coordinates of a file on our grid: south-up, west-east, −180 first where it is global,
 * a repeated column of a closed globe dropped.
 *
 * @param latitudes Degrees north, ascending or descending.
 * @param longitudes Degrees east, in any convention (−180..180, 0..360, 20..380).
 * @throws IrregularAxisError with the reason where the coordinates are not evenly spaced or leave the globe.
 */
export function placeOnGrid(latitudes: ArrayLike<number>, longitudes: ArrayLike<number>): GridPlacement {
  const rows = evenAxis(latitudes, "latitude");
  const columns = evenAxis(longitudes, "longitude");
  const north = rows.axis.start + rows.axis.step * (rows.axis.count - 1);
  const slack = rows.axis.step * TOLERANCE;
  if (rows.axis.start < -90 - slack || north > 90 + slack) {
    throw new IrregularAxisError(`latitude runs from ${rows.axis.start} to ${north}`);
  }
  const { axis, firstColumn } = rollLongitude(columns.axis);
  return {
    grid: { latitude: rows.axis, longitude: axis },
    flipRows: rows.descending,
    flipColumns: columns.descending,
    firstColumn,
  };
}

function evenAxis(values: ArrayLike<number>, name: string): { axis: Axis; descending: boolean } {
  const count = values.length;
  if (count < 2) throw new IrregularAxisError(`${name} has ${count} coordinate${count === 1 ? "" : "s"}`);
  const first = values[0]!;
  const last = values[count - 1]!;
  const step = (last - first) / (count - 1);
  if (!Number.isFinite(step) || step === 0) throw new IrregularAxisError(`${name} has no step`);
  const tolerance = Math.abs(step) * TOLERANCE + Math.max(Math.abs(first), Math.abs(last)) * FLOAT32;
  for (let i = 0; i < count; i++) {
    const off = Math.abs(values[i]! - (first + i * step));
    if (!(off <= tolerance)) {
      throw new IrregularAxisError(
        `${name} is not evenly spaced: ${values[i]} stands where ${(first + i * step).toFixed(5)} belongs`,
      );
    }
  }
  return {
    axis: { start: tidy(Math.min(first, last)), step: tidy(Math.abs(step)), count },
    descending: step < 0,
  };
}

function rollLongitude({ start, step, count }: Axis): { axis: Axis; firstColumn: number } {
  const turn = 360 / step;
  const round = Math.round(turn);
  const closes = Math.abs(turn - round) < 0.1 && count >= round;
  if (!closes) {
    if (step * (count - 1) > 360 - step / 2) {
      throw new IrregularAxisError(`longitude runs over ${(step * (count - 1)).toFixed(3)} degrees`);
    }
    return { axis: { start: tidy(normaliseLongitude(start)), step, count }, firstColumn: 0 };
  }
  if (count > round + 1) throw new IrregularAxisError("longitude goes round the globe more than once");
  // Columns from the stored first one to the first at or after −180; a hair before it counts as there.
  const shift = Math.ceil((-180 - start) / step - 1e-3);
  const firstColumn = ((shift % round) + round) % round;
  return {
    axis: { start: tidy(start + (shift * 360) / round), step: 360 / round, count: round },
    firstColumn,
  };
}

/** Drops what is only the noise of binary fractions: 0.08299999999999841 is 0.083. */
function tidy(degrees: number): number {
  return Math.round(degrees * 1e9) / 1e9;
}

/**
 * Turns stored rows into rows of the grid.
 *
 * @param stored One value per stored cell, (latitude, longitude) row-major as in the file, or a band of its rows.
 * @param storedColumns Columns of the file.
 * @param firstRow Which stored row `stored` begins with.
 * @param storedRows Rows of the file.
 * @param out The whole grid; the band's rows of it are written.
 */
export function placeRows(
  placement: GridPlacement,
  stored: Float64Array | Float32Array,
  storedColumns: number,
  firstRow: number,
  storedRows: number,
  out: Float32Array,
): void {
  const columns = placement.grid.longitude.count;
  const rows = stored.length / storedColumns;
  for (let row = 0; row < rows; row++) {
    const toRow = placement.flipRows ? storedRows - 1 - (firstRow + row) : firstRow + row;
    for (let column = 0; column < columns; column++) {
      const ascending = (placement.firstColumn + column) % columns;
      const from = placement.flipColumns ? storedColumns - 1 - ascending : ascending;
      out[toRow * columns + column] = stored[row * storedColumns + from]!;
    }
  }
}

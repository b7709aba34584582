import { type Axis, type Grid, normaliseLongitude } from "#lib/field/grid.ts";

/** The grid of a variable, and how stored rows and columns map to it. */
export interface GridPlacement {
  grid: Grid;
  /** Rows are stored north to south. */
  flipRows: boolean;
  /** Columns are stored east to west. */
  flipColumns: boolean;
  /** First column of the grid among the stored ones in ascending order of longitude; the others follow, wrapped around. */
  firstColumn: number;
}

/** Coordinates are not those of a regular latitude/longitude grid. */
export class IrregularAxisError extends Error {
  override readonly name = "IrregularAxisError";
}

/** Tolerance of a coordinate, as a fraction of the step: some files have only two decimals. */
const TOLERANCE = 0.02;

/** Relative resolution of a float32 coordinate. */
const FLOAT32 = 2 ** -22;

/**
 * Maps latitude and longitude coordinates of a file to the archive's order: south to north, west to east, a global grid
 * from −180 on and without a repeated last column.
 *
 * @param latitudes Degrees north, ascending or descending.
 * @param longitudes Degrees east, in any convention (−180..180, 0..360, 20..380).
 * @throws IrregularAxisError with the reason if the coordinates are not evenly spaced or not on the globe.
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
  // Columns from the first stored one to the first at or after −180, with a tolerance.
  const shift = Math.ceil((-180 - start) / step - 1e-3);
  const firstColumn = ((shift % round) + round) % round;
  return {
    axis: { start: tidy(start + (shift * 360) / round), step: 360 / round, count: round },
    firstColumn,
  };
}

/** Removes floating-point noise: 0.08299999999999841 is 0.083. */
function tidy(degrees: number): number {
  return Math.round(degrees * 1e9) / 1e9;
}

/**
 * Copies stored rows to rows of the grid.
 *
 * @param stored One value per stored cell, (latitude, longitude) row-major as in the file, or a part of its rows.
 * @param storedColumns Columns of the file.
 * @param firstRow Index of the first row of `stored` in the file.
 * @param storedRows Rows of the file.
 * @param out The whole grid, owned by the caller; the given rows are written.
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

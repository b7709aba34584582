import { readAngle } from "#lib/positions/read-angle.ts";
import { readPosition } from "#lib/positions/read-position.ts";
import { type ColumnRole, type Columns, columnsOf } from "./columns.ts";
import {
  type ListProblem,
  type ListProblems,
  MAX_SHOWN,
  PointListError,
  problemsOf,
} from "./list-problem.ts";
import type { ListedPoint } from "./point-list.ts";
import { type DateOrder, orderShownBy, readTime, readTimeOfDay } from "./read-time.ts";
import type { Row } from "./split-rows.ts";

export interface ReadOptions {
  /** Of the reader, BCP 47. */
  languages: readonly string[];
  /** Order of dates that fit both; without it that of the reader's language. */
  dateOrder?: DateOrder;
}

/** How a table was understood, for the person who made it. */
export interface TableNotes {
  /** Title of the column that each quantity comes from; none has a title where the table has no header. */
  titles: Partial<Record<ColumnRole, string>>;
  hasHeader: boolean;
  /** Order of dates such as 03/04/2026, where some fit both and none says which. */
  assumedOrder?: DateOrder;
  /** No time has a zone: they were read as UTC. */
  assumedUtc: boolean;
}

export interface ReadTable {
  points: ListedPoint[];
  notes: TableNotes;
  /** Rows that have none. */
  unread?: ListProblems;
}

type Unit = "line" | "row";

/** What is wrong with a row, without which row it is. */
type RowProblem = WithoutRow<Extract<ListProblem, { unit: Unit }>>;
type WithoutRow<Problem> = Problem extends unknown ? Omit<Problem, "unit" | "line"> : never;

/** Where the month is written first. */
const MONTH_FIRST = new Set(["en-us", "en-ph", "es-us"]);

/**
 * Points of a table: rows below a header, or rows of positions alone, latitude first. Rows that cannot be read are counted
 * and named, and the caller decides whether the others are used.
 *
 * @param unit What a row is: a line of a text, a row of a sheet.
 * @throws PointListError where no row has a point, or the header does not say where the position is.
 */
export function readTable(rows: readonly Row[], unit: Unit, options: ReadOptions): ReadTable {
  const [first] = rows;
  if (!first) throw new PointListError([{ code: "empty" }]);
  const header = columnsOf(first.cells, first.line);
  const columns = header ?? bareColumns(first, unit, options);
  const body = header ? rows.slice(1) : rows;
  if (body.length === 0) throw new PointListError([{ code: "noPoints" }]);
  const { order, assumed } = dateOrder(body, columns, options);
  const points: ListedPoint[] = [];
  const problems: ListProblem[] = [];
  let refused = 0;
  let zoned = false;
  const width = header ? first.cells.length : Number.POSITIVE_INFINITY;
  for (const { line, cells } of body) {
    const point = readRow(cells, columns, width, order, options.languages);
    if ("code" in point) {
      refused++;
      if (problems.length < MAX_SHOWN) problems.push({ ...point, unit, line });
    } else {
      points.push(point);
      zoned ||= /(?:z|utc|gmt|[+-]\d\d:?\d\d|:\d\d[+-]\d\d)\s*$/i.test(
        (cells[columns.at.instant ?? -1] ?? "").slice(5),
      );
    }
  }
  if (points.length === 0) throw new PointListError(problems, refused);
  const timed = columns.at.instant !== undefined || columns.at.date !== undefined;
  const unread = problemsOf(problems, refused);
  return {
    points,
    ...(unread && { unread }),
    notes: {
      titles: columns.titles,
      hasHeader: header !== undefined,
      ...(assumed && { assumedOrder: order }),
      assumedUtc: timed && !zoned && columns.offset === 0 && points.some(({ time }) => time !== undefined),
    },
  };
}

/** Without a header: a position in one cell or two, and maybe a time behind it. */
function bareColumns({ cells, line }: Row, unit: Unit, { languages }: ReadOptions): Columns {
  const [one = "", other = ""] = cells;
  const isPair = ![
    readAngle(one, "latitude", "", languages),
    readAngle(other, "longitude", "", languages),
  ].some(Number.isNaN);
  if (isPair) return { at: { latitude: 0, longitude: 1, instant: 2 }, titles: {}, offset: 0 };
  if (readPosition(one, languages).kind === "place")
    return { at: { position: 0, instant: 1 }, titles: {}, offset: 0 };
  throw new PointListError([{ code: "noHeader", unit, line }]);
}

function dateOrder(body: readonly Row[], { at }: Columns, { languages, dateOrder: asked }: ReadOptions) {
  const column = at.date ?? at.instant ?? -1;
  let either = false;
  const shown = new Set<DateOrder>();
  for (const { cells } of body) {
    const order = orderShownBy(cells[column] ?? "");
    if (order === "either") either = true;
    else if (order) shown.add(order);
  }
  const [known] = shown;
  // Where dates of both orders are mixed, the rows that do not fit the usual one are refused.
  if (known && shown.size === 1) return { order: known, assumed: false };
  const usual: DateOrder = MONTH_FIRST.has((languages[0] ?? "").toLowerCase()) ? "month-day" : "day-month";
  return { order: asked ?? usual, assumed: either };
}

/** @returns The point, or what is wrong with the row. */
function readRow(
  cells: readonly string[],
  { at, offset }: Columns,
  width: number,
  order: DateOrder,
  languages: readonly string[],
): ListedPoint | RowProblem {
  // Otherwise 48,5,-5,25 would be the place 48° N 5° E.
  if (cells.length > width && cells.slice(width).some((cell) => cell !== "")) return { code: "wideRow" };
  const cell = (role: ColumnRole) => cells[at[role] ?? -1] ?? "";
  let latitude: number;
  let longitude: number;
  if (at.latitude === undefined || at.longitude === undefined) {
    const reading = readPosition(cell("position"), languages);
    const written = short(cell("position"));
    if (reading.kind === "unclear") return { code: "unclearPosition", written };
    if (reading.kind === "invalid") return { code: "noPosition", written };
    ({ latitude, longitude } = reading.place);
  } else {
    latitude = readAngle(cell("latitude"), "latitude", cell("northOrSouth"), languages);
    longitude = readAngle(cell("longitude"), "longitude", cell("eastOrWest"), languages);
    if (Number.isNaN(latitude)) return angleProblem("latitude", cell("latitude"));
    if (Number.isNaN(longitude)) return angleProblem("longitude", cell("longitude"));
  }
  const time = timeOf(cell("date"), cell("instant"), order, offset);
  if (Number.isNaN(time)) {
    const written = [cell("date"), cell("instant")].filter(Boolean).join(" ");
    return { code: "noTime", written: short(written) };
  }
  const name = cell("name");
  return { latitude, longitude, time, ...(name && { name: name.slice(0, 100) }) };
}

function angleProblem(axis: "latitude" | "longitude", written: string): RowProblem {
  return written === "" ? { code: "missing", axis } : { code: "wrongAngle", axis, written: short(written) };
}

function timeOf(date: string, instant: string, order: DateOrder, offset: number): number | undefined {
  if (date === "" && instant === "") return undefined;
  if (date === "") return readTime(instant, order, offset);
  const whole = instant === "" ? Number.NaN : readTime(instant, order, offset);
  if (!Number.isNaN(whole)) return whole;
  const day = readTime(date, order, 0);
  const time = instant === "" ? 0 : readTimeOfDay(instant);
  // The date has a time of its own, or the time stands beside it.
  return instant !== "" && day % 86_400 !== 0 ? Number.NaN : day + time - offset;
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

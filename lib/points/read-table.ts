import { readAngle, readPosition } from "#lib/positions/read-position.ts";
import {
  type ListProblem,
  type ListProblems,
  MAX_SHOWN,
  PointListError,
  problemsOf,
} from "./list-problem.ts";
import type { ListedPoint } from "./point-list.ts";
import { type DateOrder, orderShownBy, readTime, readTimeOfDay } from "./read-time.ts";

export interface ReadOptions {
  /** Languages of the reader, BCP 47. */
  languages: readonly string[];
  /** Order of dates that are valid in both orders; by default that of the reader's language. */
  dateOrder?: DateOrder;
}

/** How a table was interpreted, for its author. */
export interface TableNotes {
  /** Title of the column used for each quantity; empty if the table has no header. */
  titles: Partial<Record<ColumnRole, string>>;
  hasHeader: boolean;
  /** Order assumed for dates such as 03/04/2026, if some are valid in both orders and none decides. */
  assumedOrder?: DateOrder;
  /** No time has a zone, so all were read as UTC. */
  assumedUtc: boolean;
}

interface ReadTable {
  points: ListedPoint[];
  notes: TableNotes;
  /** Rows without a point. */
  unread?: ListProblems;
}

type Unit = "line" | "row";

/** A problem of a row, without the position of the row. */
type RowProblem = WithoutRow<Extract<ListProblem, { unit: Unit }>>;
type WithoutRow<Problem> = Problem extends unknown ? Omit<Problem, "unit" | "line"> : never;

/** Languages that write the month first. */
const MONTH_FIRST = new Set(["en-us", "en-ph", "es-us"]);

/**
 * Reads the points of a table: rows below a header, or rows of bare positions with latitude first. Rows that
 * cannot be read are counted and reported; the caller decides whether to use the others.
 *
 * @param unit What a row is: a line of text or a row of a sheet.
 * @throws PointListError if no row has a point, or the header does not say where the position is.
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

/** The columns of a table without a header: a position in one or two cells, optionally followed by a time. */
function bareColumns({ cells, line }: Row, unit: Unit, { languages }: ReadOptions): Columns {
  const [one = "", other = ""] = cells;
  const isPair = ![
    readAngle(one, "latitude", "", languages),
    readAngle(other, "longitude", "", languages),
  ].some(Number.isNaN);
  if (isPair) return { at: { latitude: 0, longitude: 1, instant: 2 }, titles: {}, offset: 0, letters: {} };
  if (readPosition(one, languages).kind === "place")
    return { at: { position: 0, instant: 1 }, titles: {}, offset: 0, letters: {} };
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
  // If dates of both orders are mixed, rows that do not fit the usual order are refused.
  if (known && shown.size === 1) return { order: known, assumed: false };
  const usual: DateOrder = MONTH_FIRST.has((languages[0] ?? "").toLowerCase()) ? "month-day" : "day-month";
  return { order: asked ?? usual, assumed: either };
}

/** @returns The point, or what is wrong with the row. */
function readRow(
  cells: readonly string[],
  { at, offset, letters }: Columns,
  width: number,
  order: DateOrder,
  languages: readonly string[],
): ListedPoint | RowProblem {
  // Without this check 48,5,-5,25 would be read as 48° N 5° E.
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
    const letterOf = (axis: "latitude" | "longitude", own: string) =>
      own !== "" || /\p{L}/u.test(cell(axis)) ? own : (letters[axis] ?? "");
    latitude = readAngle(cell("latitude"), "latitude", letterOf("latitude", cell("northOrSouth")), languages);
    longitude = readAngle(
      cell("longitude"),
      "longitude",
      letterOf("longitude", cell("eastOrWest")),
      languages,
    );
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
  // The time must be part of the date or in its own column, not both.
  return instant !== "" && day % 86_400 !== 0 ? Number.NaN : day + time - offset;
}

function short(text: string): string {
  return text.length > 40 ? `${text.slice(0, 40)}…` : text;
}

/** Meaning of a column. */
type ColumnRole =
  | "latitude"
  | "longitude"
  | "position"
  | "northOrSouth"
  | "eastOrWest"
  | "instant"
  | "date"
  | "name";

const titles: Readonly<Record<ColumnRole, string>> = {
  latitude: "lat latitude latitud latitudine breite breitengrad breitegrad 緯度 纬度",
  longitude: "lon long lng longitude longitud longitudine lange laenge langengrad langegrad 経度 經度 经度",
  position:
    "position positions pos coordinates coordinate coords latlon latlong posicion coordenadas coordonnees koordinaten posicao 位置 座標 坐标",
  northOrSouth: "ns hemilat",
  eastOrWest: "ew hemilon",
  instant:
    "timestamp datetime time eta zeitstempel zeitpunkt zeit uhrzeit horodatage heure hora momento 日時 時刻 時間 时间 时刻 日期时间",
  date: "date datum fecha data jour tag dia day 日付 日期 年月日",
  name: "name waypoint wpt wp nom nombre nome punkt wegpunkt bezeichnung label title station ident id 名前 名称 地点",
};

const roleOfTitle = new Map(
  Object.entries(titles).flatMap(([role, words]) =>
    words.split(" ").map((word) => [word, role as ColumnRole] as const),
  ),
);

/** Words beside a column name that do not change its meaning. */
const QUALIFIERS = new Set(
  "deg degree degrees min minute minutes sec dd dm dms decimal dec n s e w north south east west wgs84 utc gmt z nom of the gps y x point iso seconds epoch unix s".split(
    " ",
  ),
);

interface Columns {
  at: Partial<Record<ColumnRole, number>>;
  /** Title of each used column, as written. */
  titles: Partial<Record<ColumnRole, string>>;
  /** Offset from UTC of a time column such as `UTC+2`, seconds, to be subtracted. */
  offset: number;
  /**
   * Direction of a column of angles that does not count north or east, according to its title: `Lon (°W)`.
   */
  letters: { latitude?: "S"; longitude?: "W" };
}

/**
 * Finds the columns by their titles, in the languages of the page.
 *
 * @returns undefined if no title names a position, which means that the row is not a header.
 * @throws PointListError if two columns have the same meaning, or times are local.
 */
function columnsOf(header: readonly string[], line: number): Columns | undefined {
  const found: Columns = { at: {}, titles: {}, offset: 0, letters: {} };
  let unclear: string | undefined;
  const problems: ListProblem[] = [];
  header.forEach((title, index) => {
    const role = roleOf(title.replace(TIME_FORMAT, ""));
    if (!role && isUnclearTime(title)) unclear ??= title;
    const [isSouth, isWest] = [countsTowards(title, "south", "north"), countsTowards(title, "west", "east")];
    // A single column of both angles whose title reverses one of them is not read, because it does not say
    // how they are written.
    if (!role || (role === "position" && (isSouth || isWest))) return;
    const other = found.titles[role];
    if (other !== undefined) {
      // Additional names, and times of other things, are ignored.
      if (role === "name" || role === "instant" || role === "date") return;
      problems.push({ code: "sameMeaning", line, one: other, other: title, role });
      return;
    }
    found.at[role] = index;
    found.titles[role] = title;
    if (role === "latitude" && isSouth) found.letters.latitude = "S";
    if (role === "longitude" && isWest) found.letters.longitude = "W";
  });
  const { latitude, longitude, position } = found.at;
  if (position === undefined && latitude === undefined && longitude === undefined) return undefined;
  if (position === undefined && (latitude === undefined || longitude === undefined)) {
    problems.push({ code: "noColumn", line, axis: latitude === undefined ? "latitude" : "longitude" });
  }
  const time = found.titles.instant ?? found.titles.date ?? "";
  if (time === "" && unclear !== undefined) problems.push({ code: "unclearTime", title: unclear });
  if (/\b(?:local|lt|ortszeit|locale|hora local)\b/i.test(time)) {
    problems.push({ code: "localTime", title: time });
  }
  if (problems.length > 0) throw new PointListError(problems);
  const offset = /(?:utc|gmt)\s*([-+−])\s*(\d{1,2})(?::?(\d{2}))?/i.exec(time);
  if (offset) {
    const seconds = 3600 * Number(offset[2]) + 60 * Number(offset[3] ?? 0);
    found.offset = offset[1] === "+" ? seconds : -seconds;
  }
  return found;
}

function roleOf(title: string): ColumnRole | undefined {
  const folded = title.toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  const whole = folded.replace(/[^\p{L}\p{N}]+/gu, "");
  const direct = roleOfTitle.get(whole);
  if (direct) return direct;
  // Recognised titles include Lat (deg), Latitude_deg, Breite [°N], Date/Time, Fecha y hora, time (UTC+2).
  const words = folded.replace(/(?:utc|gmt)\s*[-+−]\s*[\d:]+/g, "").match(/\p{L}+\d*/gu) ?? [];
  const roles = words.flatMap((word) => roleOfTitle.get(word) ?? []);
  const [first] = roles;
  const rest = words.filter((word) => !roleOfTitle.has(word) && !QUALIFIERS.has(word) && !LOCAL.has(word));
  if (!first || rest.length > 0) return undefined;
  if (roles.includes("latitude") && roles.includes("longitude")) return "position";
  if (roles.includes("date") && roles.includes("instant")) return "instant";
  return new Set(roles).size === 1 ? first : undefined;
}

/**
 * Whether a title names only the given hemisphere, as `Lon W` does and `Lon (E/W)` does not. An s that
 * follows minutes in the same letter case means seconds.
 */
function countsTowards(title: string, hemisphere: string, other: string): boolean {
  const bare = title.replace(
    /\b(?:(m(?:in|inutes?)?)\P{L}+s|(M(?:IN|INUTES?)?|Min(?:utes?)?)\P{L}+S)\b/gu,
    "",
  );
  const words: readonly string[] = bare.toLowerCase().match(/\p{L}+/gu) ?? [];
  const names = (word: string) => words.includes(word) || words.includes(word[0]!);
  return names(hemisphere) && !names(other);
}

/**
 * A time format in a title, such as `(ISO8601)` or `[YYYY-MM-DD hh:mm]`, which says nothing about the zone.
 */
const TIME_FORMAT = /\s*[([](?:ISO[ -]?8601|(?=[^)\]]*(?:yy|hh))[ymdhst:/. -]+)[)\]]\s*$/i;

/**
 * Whether a title names an ambiguous time zone: `time (CET)`, `ETA BST`, `Zeit [Bord]`. Names of zones are
 * ambiguous, and for half of the year their clocks differ by an hour.
 */
function isUnclearTime(title: string): boolean {
  const bare = title.replace(/[([].*$|[^A-Za-z][A-Z]{2,4}T\s*$/, "");
  return bare !== title && ["instant", "date"].includes(roleOf(bare) ?? "");
}

const LOCAL = new Set(["local", "lt", "ortszeit", "locale", "y", "et", "und", "e"]);

/** One row of a table, and the line or row of the file in which it begins, from 1. */
export interface Row {
  line: number;
  cells: readonly string[];
}

/** Most cells of a line. A line with more is not a list of points, and would only take memory. */
const MAX_CELLS = 500;

/** Most characters of one quoted cell; beyond it the quote is treated as unclosed. */
const MAX_CELL = 20_000;

/**
 * Splits a text into rows of cells, leaving out empty lines and comments (`#`, `//`). Cells may be quoted; a
 * quote within a cell is an ordinary character, because seconds are written with it.
 *
 * @throws PointListError if a quote is not closed, or a line has too many cells.
 */
export function splitRows(text: string): Row[] {
  const rows: Row[] = [];
  let separator: string | undefined;
  let line = 1;
  for (let at = text.startsWith("\uFEFF") ? 1 : 0; at < text.length; ) {
    const end = lineEnd(text, at);
    const first = text.slice(at, Math.min(end, at + 200)).trimStart();
    const stated = rows.length === 0 ? /^sep=(.)\s*$/i.exec(text.slice(at, end)) : null;
    if (stated) separator = stated[1];
    if (stated || first === "" || first.startsWith("#") || first.startsWith("//")) {
      at = afterEnd(text, end);
      line++;
      continue;
    }
    separator ??= separatorOf(text.slice(at, end));
    const row = splitRow(text, at, separator, line);
    rows.push({ line, cells: row.cells });
    line += row.lines;
    at = row.next;
  }
  return rows;
}

/** Numbers contain no semicolons and tabs, but may contain a comma. */
function separatorOf(header: string): string {
  const bare = header.replace(/"[^"]*"/g, "");
  return ["\t", ";", "|", ","].find((sign) => bare.includes(sign)) ?? ",";
}

function splitRow(text: string, start: number, separator: string, line: number) {
  const cells: string[] = [];
  let lines = 1;
  let at = start;
  for (;;) {
    if (cells.length === MAX_CELLS) throw new PointListError([{ code: "manyCells", line, most: MAX_CELLS }]);
    while (text[at] === " ") at++;
    if (text[at] === '"') {
      const quoted = readQuoted(text, at + 1, line);
      cells.push(quoted.cell.trim());
      lines += quoted.lines;
      at = quoted.next;
      while (at < text.length && text[at] !== separator && !isEnd(text[at])) at++;
    } else {
      const from = at;
      while (at < text.length && text[at] !== separator && !isEnd(text[at])) at++;
      cells.push(text.slice(from, at).trim());
    }
    if (text[at] !== separator) break;
    at++;
  }
  return { cells, lines, next: afterEnd(text, at) };
}

function readQuoted(text: string, start: number, line: number) {
  let cell = "";
  let from = start;
  for (;;) {
    const close = text.indexOf('"', from);
    if (close < 0 || close - start > MAX_CELL) throw new PointListError([{ code: "openQuote", line }]);
    cell += text.slice(from, close);
    if (text[close + 1] !== '"') {
      return { cell, next: close + 1, lines: cell.split(/\r\n|\r|\n/).length - 1 };
    }
    cell += '"';
    from = close + 2;
  }
}

function isEnd(sign: string | undefined): boolean {
  return sign === "\n" || sign === "\r";
}

function lineEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && !isEnd(text[at])) at++;
  return at;
}

function afterEnd(text: string, end: number): number {
  return end + (text[end] === "\r" && text[end + 1] === "\n" ? 2 : 1);
}

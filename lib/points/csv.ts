import {
  type ListedPoint,
  PointListError,
  positionProblem,
  readDecimal,
  readInstant,
  wrapped,
} from "./point-list.ts";

const names = {
  latitude: ["latitude", "lat"],
  longitude: ["longitude", "lon", "lng", "long"],
  time: ["timestamp", "time", "datetime", "date", "eta"],
} as const;

const TOO_MANY_CELLS =
  "it has more cells than the first line has names (decimal commas need semicolons or tabs between the cells)";

/**
 * Points of a CSV file: a header (latitude or lat, longitude or lon, optionally timestamp or time), then a line per point.
 * Separators are commas, semicolons or tabs; decimal commas and quotes are accepted. Other columns are ignored.
 *
 * @throws PointListError naming the lines that cannot be read; a list is never read in part.
 */
export function readCsv(text: string): ListedPoint[] {
  const lines = text.replace(/^\uFEFF/, "").split(/\r\n|\r|\n/);
  const first = lines.findIndex((line) => line.trim() !== "" && !line.startsWith("#"));
  const header = lines[first];
  if (header === undefined) throw new PointListError(["The file is empty."]);
  const separator = [";", "\t", ","].find((sign) => header.includes(sign)) ?? ",";
  const titles = cells(header, separator).map((title) => title.toLowerCase().replace(/[\s([].*$/, ""));
  const column = (wanted: readonly string[]) => titles.findIndex((title) => wanted.includes(title));
  const [latitudeAt, longitudeAt, timeAt] = [
    column(names.latitude),
    column(names.longitude),
    column(names.time),
  ];
  if (latitudeAt < 0 || longitudeAt < 0) {
    throw new PointListError([
      `Line ${first + 1} should name the columns, latitude and longitude among them.`,
    ]);
  }
  const points: ListedPoint[] = [];
  const problems: string[] = [];
  for (let index = first + 1; index < lines.length; index++) {
    const line = lines[index] ?? "";
    if (line.trim() === "" || line.startsWith("#")) continue;
    const row = cells(line, separator);
    const [latitude, longitude] = [readDecimal(row[latitudeAt] ?? ""), readDecimal(row[longitudeAt] ?? "")];
    const written = timeAt < 0 ? "" : (row[timeAt] ?? "");
    const time = written === "" ? undefined : readInstant(written);
    const problem =
      // Otherwise 48,5,-5,25 would be the place 48° N 5° E.
      (row.slice(titles.length).some((cell) => cell !== "") ? TOO_MANY_CELLS : undefined) ??
      positionProblem(latitude, longitude) ??
      (Number.isNaN(time) ? `“${written.slice(0, 40)}” is no time such as 2026-09-15T12:00:00Z` : undefined);
    if (problem) problems.push(`Line ${index + 1}: ${problem}.`);
    else points.push({ latitude, longitude: wrapped(longitude), time });
  }
  if (problems.length > 0) throw new PointListError(problems);
  if (points.length === 0) throw new PointListError(["The file has no points after its first line."]);
  return points;
}

/** Cells of one line; a quoted cell may contain the separator, and "" for a quote. */
function cells(line: string, separator: string): string[] {
  const found: string[] = [];
  let cell = "";
  let quoted = false;
  for (let at = 0; at < line.length; at++) {
    const sign = line[at];
    if (quoted && sign === '"' && line[at + 1] === '"') {
      cell += '"';
      at++;
    } else if (sign === '"') quoted = !quoted;
    else if (sign === separator && !quoted) {
      found.push(cell.trim());
      cell = "";
    } else cell += sign;
  }
  return [...found, cell.trim()];
}

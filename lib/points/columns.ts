import { type ListProblem, PointListError } from "./list-problem.ts";

/** What a column may be. */
export type ColumnRole =
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

/** Words beside a name that change nothing about it. */
const QUALIFIERS = new Set(
  "deg degree degrees min minute minutes sec dd dm dms decimal dec n s e w north south east west wgs84 utc gmt z nom of the gps y x point iso seconds epoch unix s".split(
    " ",
  ),
);

/** The columns of a table, and how they were understood. */
export interface Columns {
  at: Partial<Record<ColumnRole, number>>;
  /** Title of each column that is used, as it is written. */
  titles: Partial<Record<ColumnRole, string>>;
  /** Of a column of times, `UTC+2`: what to take off, seconds. */
  offset: number;
}

/**
 * Finds the columns by their titles, in the languages of the page.
 *
 * @returns Undefined where no title names a position: the row is no header.
 * @throws PointListError where two columns have the same meaning, or times are local ones.
 */
export function columnsOf(header: readonly string[], line: number): Columns | undefined {
  const found: Columns = { at: {}, titles: {}, offset: 0 };
  let unclear: string | undefined;
  const problems: ListProblem[] = [];
  header.forEach((title, index) => {
    const role = roleOf(title.replace(TIME_FORMAT, ""));
    if (!role && isUnclearTime(title)) unclear ??= title;
    if (!role) return;
    const other = found.titles[role];
    if (other !== undefined) {
      // Names, and times of other things, do no harm.
      if (role === "name" || role === "instant" || role === "date") return;
      problems.push({ code: "sameMeaning", line, one: other, other: title, role });
      return;
    }
    found.at[role] = index;
    found.titles[role] = title;
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
  // Lat (deg), Latitude_deg, Breite [°N], Date/Time, Fecha y hora, time (UTC+2).
  const words = folded.replace(/(?:utc|gmt)\s*[-+−]\s*[\d:]+/g, "").match(/\p{L}+\d*/gu) ?? [];
  const roles = words.flatMap((word) => roleOfTitle.get(word) ?? []);
  const [first] = roles;
  const rest = words.filter((word) => !roleOfTitle.has(word) && !QUALIFIERS.has(word) && !LOCAL.has(word));
  if (!first || rest.length > 0) return undefined;
  if (roles.includes("latitude") && roles.includes("longitude")) return "position";
  if (roles.includes("date") && roles.includes("instant")) return "instant";
  return new Set(roles).size === 1 ? first : undefined;
}

/** `(ISO8601)`, `[YYYY-MM-DD hh:mm]`: how a time is written, which says nothing of its zone. */
const TIME_FORMAT = /\s*[([](?:ISO[ -]?8601|(?=[^)\]]*(?:yy|hh))[ymdhst:/. -]+)[)\]]\s*$/i;

/** `time (CET)`, `ETA BST`, `Zeit [Bord]`: names of zones are ambiguous, and half of the year their clocks are an hour off. */
function isUnclearTime(title: string): boolean {
  const bare = title.replace(/[([].*$|[^A-Za-z][A-Z]{2,4}T\s*$/, "");
  return bare !== title && ["instant", "date"].includes(roleOf(bare) ?? "");
}

const LOCAL = new Set(["local", "lt", "ortszeit", "locale", "y", "et", "und", "e"]);

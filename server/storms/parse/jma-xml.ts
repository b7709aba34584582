import { quoted } from "./deck-row.ts";
import { type JmaPart, jmaReport } from "./jma.ts";
import { decimal, listOf, propertyOf, textOf } from "./json.ts";
import { TextRefusedError } from "./jtwc-text.ts";
import { stormName } from "./names.ts";
import { largestOf, type Parsed, type Problem } from "./report.ts";
import { contentOf, xmlReader } from "./xml.ts";

const repeated = new Set([
  "MeteorologicalInfo",
  "Kind",
  "Coordinate",
  "BasePoint",
  "Radius",
  "Axis",
  "WindSpeed",
]);
const alsoRepeated = new Set(["WarningAreaPart", "MeteorologicalInfos", "Property"]);

const readTelegram = xmlReader("telegram", (name) => repeated.has(name) || alsoRepeated.has(name));

/**
 * Reads a telegram of the JMA about a storm (VPTW40 to 65, "台風解析・予報情報").
 *
 * @throws TextRefusedError for other kinds, exercises and tests, cancellations, and what is no well-formed telegram.
 */
export function parseJmaXml(text: string): Parsed {
  const report = propertyOf(readTelegram(text), "Report");
  const control = propertyOf(report, "Control");
  const head = propertyOf(report, "Head");
  const kind = textOf(propertyOf(head, "InfoKind")) ?? textOf(propertyOf(control, "Title")) ?? "";
  if (!kind.startsWith("台風解析・予報情報")) {
    throw new TextRefusedError(
      `another kind of telegram than the analysis and forecast of a typhoon: "${kind.slice(0, 40)}"`,
    );
  }
  const status = textOf(propertyOf(control, "Status"));
  if (status !== "通常") {
    throw new TextRefusedError(
      `an exercise or a test, no bulletin (Status "${(status ?? "").slice(0, 10)}")`,
    );
  }
  if (textOf(propertyOf(head, "InfoType")) === "取消") {
    throw new TextRefusedError("a cancellation of an earlier telegram");
  }
  const issued = Math.floor(Date.parse(textOf(propertyOf(head, "ReportDateTime")) ?? "") / 1000);
  if (Number.isNaN(issued)) throw new TextRefusedError("no time of issue");
  const code = textOf(propertyOf(head, "EventID"));
  if (code === undefined || !/^TC\d{4}$/.test(code)) {
    throw new TextRefusedError(`no code of a storm: "${quoted(code ?? "")}"`);
  }

  const problems: Problem[] = [];
  const reject = (reason: string) => void problems.push({ line: 0, reason });
  const infos = listOf(propertyOf(propertyOf(report, "Body"), "MeteorologicalInfos"))
    .filter((group) => propertyOf(group, "@type") === "台風情報")
    .flatMap((group) => listOf(propertyOf(group, "MeteorologicalInfo")));
  const base = timeOf(infos.find((info) => typeOfTime(info).startsWith("実況")));
  const parts: JmaPart[] = [];
  let named: unknown;
  for (const info of infos) {
    const properties = listOf(propertyOf(propertyOf(info, "Item"), "Kind")).flatMap((each) =>
      listOf(propertyOf(each, "Property")),
    );
    named ??= properties
      .map((each) => propertyOf(each, "TyphoonNamePart"))
      .find((each) => each !== undefined);
    const part = partOf(info, properties, base);
    if (typeof part === "string") reject(part);
    else parts.push(part);
  }
  const title = {
    code,
    typhoonNumber: textOf(propertyOf(named, "Number")) ?? "",
    name: stormName(textOf(propertyOf(named, "Name"))),
    issued,
    isOver: /^台風(?:消滅|発生の可能性が小さくなった)/.test(textOf(propertyOf(named, "Remark")) ?? ""),
  };
  return { reports: [jmaReport(title, parts, reject)], problems };
}

function typeOfTime(info: unknown): string {
  return textOf(propertyOf(propertyOf(info, "DateTime"), "@type")) ?? "";
}

function timeOf(info: unknown): number {
  return Math.floor(Date.parse(contentOf(propertyOf(info, "DateTime")) ?? "") / 1000);
}

/** @returns The reason if it cannot be read. */
function partOf(info: unknown, properties: readonly unknown[], base: number): JmaPart | string {
  const time = timeOf(info);
  const hour = (time - base) / 3600;
  const type = typeOfTime(info).slice(0, 20);
  if (!(hour >= 0 && hour <= 240 && Number.isInteger(hour))) return `no time of "${type}"`;
  const find = (name: string) =>
    properties.map((each) => propertyOf(each, name)).find((each) => each !== undefined);
  const centre = find("CenterPart");
  const circle = propertyOf(centre, "ProbabilityCircle");
  const points = [...listOf(propertyOf(centre, "Coordinate")), ...listOf(propertyOf(circle, "BasePoint"))];
  const place = points
    .filter((point) => propertyOf(point, "@type") === "中心位置（度）")
    .map((point) => /^([+-]\d{1,2}(?:\.\d+)?)([+-]\d{1,3}(?:\.\d+)?)\//.exec(contentOf(point) ?? ""))
    .find((match) => match !== null);
  const latitude = decimal(place?.[1]?.replace("+", ""), -90, 90);
  const longitude = decimal(place?.[2]?.replace("+", ""), -180, 360);
  if (latitude === null || longitude === null) return `no place of "${type}"`;
  const winds = listOf(propertyOf(find("WindPart"), "WindSpeed"));
  const wind = winds.find(
    (each) => propertyOf(each, "@type") === "最大風速" && propertyOf(each, "@unit") === "ノット",
  );
  const areas = properties.flatMap((each) => listOf(propertyOf(each, "WarningAreaPart")));
  const area = (name: string) => areas.find((each) => propertyOf(each, "@type") === name);
  const warned = area("暴風警戒域");
  return {
    hour,
    time,
    latitude,
    longitude,
    wind: decimal(contentOf(wind), 1, 250),
    pressure: decimal(contentOf(propertyOf(centre, "Pressure")), 800, 1100),
    stage:
      /\(([A-Z]{2,3})\)/.exec(contentOf(propertyOf(find("ClassPart"), "TyphoonClass")) ?? "")?.[1] ?? null,
    gale: axisOf(propertyOf(area("強風域"), "Circle")),
    storm: axisOf(propertyOf(warned ?? area("暴風域"), "Circle")),
    // Only a warning area includes the probability circle; an estimate for the next hour is the wind area alone.
    stormIncludesCircle: warned !== undefined,
    circle: axisOf(circle),
  };
}

/** The longer axis, nautical miles. */
function axisOf(circle: unknown): number | null {
  const radii = listOf(propertyOf(propertyOf(circle, "Axes"), "Axis"))
    .flatMap((axis) => listOf(propertyOf(axis, "Radius")))
    .filter((radius) => propertyOf(radius, "@unit") === "海里")
    .map((radius) => decimal(contentOf(radius), 1, 2000))
    .filter((radius) => radius !== null);
  return largestOf(radii);
}

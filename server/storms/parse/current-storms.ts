import { quoted } from "./deck-row.ts";
import { decimal, listOf, propertyOf, textOf } from "./json.ts";
import { TextRefusedError } from "./jtwc-text.ts";
import { stormName } from "./names.ts";
import { bareFix, emptyReport, largestOf, type Parsed, type Problem, type Report } from "./report.ts";

/** ATCF codes of NHC's classifications: its STS is a subtropical storm, its PTC one that may form. */
const stages: Readonly<Record<string, string>> = {
  TD: "TD",
  STD: "SD",
  TS: "TS",
  STS: "SS",
  HU: "HU",
  TY: "TY",
  PTC: "DB",
  PC: "PT",
  PT: "PT",
};

/** Reads NHC's CurrentStorms.json: the active storms of AL, EP and CP with their position at the last advisory. */
export function parseCurrentStorms(content: unknown): Parsed {
  const storms = propertyOf(content, "activeStorms");
  if (!Array.isArray(storms)) throw new TextRefusedError("no list of active storms");
  const problems: Problem[] = [];
  const reports: Report[] = [];
  const keys: string[] = [];
  for (const [index, storm] of listOf(storms).entries()) {
    const report = reportOf(storm);
    if (typeof report === "string") problems.push({ line: 0, reason: `storm ${index + 1}: ${report}` });
    else reports.push(report);
    const id = textOf(propertyOf(storm, "id"))?.toUpperCase();
    if (id !== undefined) keys.push(id);
  }
  const updated = largestOf(reports.map(({ issued }) => issued));
  const listed = { provider: "jtwc", basins: ["AL", "EP", "CP"], keys } as const;
  return { reports, problems, listed: updated === null ? listed : { ...listed, updated } };
}

function reportOf(storm: unknown): Report | string {
  const id = textOf(propertyOf(storm, "id")) ?? "";
  const match = /^(al|ep|cp)(\d\d)(\d{4})$/i.exec(id);
  if (!match || Number(match[2]) === 0) return `no id of NHC: "${quoted(id)}"`;
  const basin = match[1]!.toUpperCase();
  const time = Math.floor(Date.parse(textOf(propertyOf(storm, "lastUpdate")) ?? "") / 1000);
  if (Number.isNaN(time)) return "no time of the last update";
  const latitude = decimal(propertyOf(storm, "latitudeNumeric"), -90, 90);
  const longitude = decimal(propertyOf(storm, "longitudeNumeric"), -180, 180);
  if (latitude === null || longitude === null) return "no position";
  const report = emptyReport("advisory list", {
    provider: "jtwc",
    basin,
    number: Number(match[2]),
    season: Number(match[3]),
    issued: time,
  });
  report.name = stormName(textOf(propertyOf(storm, "name")));
  report.observed = [
    {
      ...bareFix(time, latitude, longitude),
      vmaxKt: decimal(propertyOf(storm, "intensity"), 1, 250),
      mslpHpa: decimal(propertyOf(storm, "pressure"), 800, 1100),
      stage: stages[textOf(propertyOf(storm, "classification")) ?? ""] ?? null,
    },
  ];
  return report;
}

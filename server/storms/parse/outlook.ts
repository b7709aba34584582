import { stormId } from "#server/storms/identity.ts";
import { pressureOf, windsOf } from "./development.ts";
import { readFormationAlert } from "./formation-alert.ts";
import { type Disturbance, readJtwcOutlook } from "./jtwc-outlook.ts";
import { refuseLaterPart } from "./jtwc-text.ts";
import { ALERT_LAPSED_S, bareFix, emptyReport, type Parsed, type Problem, type Report } from "./report.ts";

/**
 * Reads JTWC's outlooks, ABPW (Pacific) and ABIO (Indian Ocean): the areas of interest, and a report of each that is an
 * invest. Of a range of winds the higher is taken.
 *
 * @param now When the text was received, Unix seconds.
 * @throws TextRefusedError
 */
export function parseOutlook(text: string, now: number): Parsed {
  refuseLaterPart(text);
  const { issued, outlook, disturbances } = readJtwcOutlook(text, now);
  const problems: Problem[] = [];
  const reports: Report[] = [];
  const seen = new Set<string>();
  for (const disturbance of disturbances) {
    const { designation, area, isOver, isStorm, place, invest } = disturbance;
    const name = designation === null ? "an area without a number" : `INVEST ${designation}`;
    if (isStorm || (designation !== null && seen.has(designation))) continue;
    seen.add(designation ?? "");
    if (designation !== null && !invest)
      problems.push({ line: 0, reason: `${name}: no basin has its letter` });
    else if (!place && !isOver) problems.push({ line: 0, reason: `${name}: no position` });
    else {
      if (!area && !isOver) problems.push({ line: 0, reason: `${name}: no likelihood of development` });
    }
    // What names an invest says that it is watched, also where its position cannot be read.
    const report = investReport(disturbance, issued, issued);
    if (report) reports.push({ ...report, source: "outlook", isFinal: isOver });
  }
  return { reports, problems, outlook };
}

/**
 * Reads a tropical cyclone formation alert: an invest that may be a storm within a day, and the area in which it may form. A
 * cancellation ends the alert, and the invest unless a newer outlook goes on with it.
 *
 * @param now When the text was received, Unix seconds.
 * @param name File name: `wp9226web.txt` gives the season.
 * @throws TextRefusedError
 */
export function parseFormationAlert(text: string, now: number, name = ""): Parsed {
  refuseLaterPart(text);
  const { alert, isCancelled, ...read } = readFormationAlert(text, now, name);
  const report = investReport({ ...read, invest: read }, read.time, read.issued)!;
  const problems: Problem[] = [];
  if (!read.place && !isCancelled) problems.push({ line: 0, reason: "no position" });
  if (typeof alert === "string") problems.push({ line: 0, reason: alert });
  return {
    reports: [
      {
        ...report,
        source: "formation alert",
        isFinal: isCancelled,
        alertUntil: isCancelled ? read.issued : read.until + ALERT_LAPSED_S,
      },
    ],
    problems,
    ...(typeof alert !== "string" && { alert: { storm: stormId(read), issued: read.issued, alert } }),
  };
}

/** An invest at an instant; without a fix where no position is stated. @returns undefined without a number. */
function investReport(
  { invest, place, words }: Pick<Disturbance, "invest" | "place" | "words">,
  time: number,
  issued: number,
): Report | undefined {
  if (!invest) return undefined;
  const { basin, subregion, number, season } = invest;
  const report = emptyReport("outlook", { provider: "jtwc", basin, number, season, issued });
  report.subregion = subregion;
  if (!place) return report;
  report.observed = [
    {
      ...bareFix(time, place.latitude, place.longitude),
      vmaxKt: windsOf(words)?.max ?? null,
      mslpHpa: pressureOf(words),
      stage: "DB",
    },
  ];
  return report;
}

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeWithSamples } from "#test/samples.ts";
import { parseText } from "./text.ts";

const now = Date.parse("2026-09-25T10:00:00Z") / 1000;

const fixture = (name: string) => readFileSync(join(import.meta.dirname, "fixtures", name), "utf8");

it("a final warning in words without a position still ends the storm", () => {
  const text = fixture("wtio33-of-32w.txt").replace(/ {3}WARNING POSITION:[\s\S]*(?=REMARKS:)/, "");
  expect(text).not.toContain("POSITION:");
  const { reports, problems } = parseText("wp3226web.txt", text, now);
  expect(problems).toEqual([]);
  expect(reports).toMatchObject([
    { source: "warning", basin: "WP", number: 32, season: 2026, isFinal: true, observed: [] },
  ]);
  expect(reports[0]).not.toHaveProperty("forecast");
});

it("a warning without a position that is not the final one is refused", () => {
  const text = fixture("wtio33-goes-on.txt").replace(/ {3}WARNING POSITION:[\s\S]*(?=REMARKS:)/, "");
  expect(parseText("wp3226web.txt", text, now)).toMatchObject({
    reports: [],
    problems: [{ reason: "no warning position" }],
  });
});

it("an obsolete final warning without a position ends nothing: its slot may have another storm by now", () => {
  const text = fixture("wtio33-of-32w.txt").replace(/ {3}WARNING POSITION:[\s\S]*(?=REMARKS:)/, "");
  const { reports, problems } = parseText("wp3226web.txt", text, now + 60 * 3600);
  expect(reports).toEqual([]);
  expect(problems[0]!.reason).toMatch(/^stale/);
});

it("a coded final warning without a position still ends the storm", () => {
  const text =
    "WTPN51 PGTW 250900\nWARNING    ATCG MIL 25W NWP 260925093833\n2026092506 25W SURIGAE    014  01 305 12 SATL 060\nAMP\nTHIS IS THE FINAL WARNING ON THIS\nSYSTEM.//\nNNNN\n";
  const { reports, problems } = parseText("wp2526.tcw", text, now);
  expect(problems).toEqual([]);
  expect(reports).toMatchObject([{ number: 25, isFinal: true, observed: [] }]);
  const goesOn = parseText("wp2526.tcw", text.replace("FINAL", "NEXT"), now);
  expect(goesOn.problems).toEqual([{ line: 0, reason: "no position at the base time" }]);
});

it("a cancelled alert without a position still ends, and one that goes on still names its invest", () => {
  const text = fixture("wp9226web-cancelled.txt").replaceAll(/\d+\.\d[NS] +\d+\.\dE/g, "THE COAST");
  const later = now + 4 * 3600;
  expect(parseText("wp9226web.txt", text, later).reports).toMatchObject([
    { source: "formation alert", number: 92, isFinal: true, observed: [] },
  ]);
  const alert = fixture("wp9226web.txt").replaceAll(/\d+\.\d[NS] +\d+\.\dE/g, "THE COAST");
  expect(parseText("wp9226web.txt", alert, later)).toMatchObject({
    reports: [{ source: "formation alert", number: 92, isFinal: false, observed: [] }],
    problems: [{ reason: "no position" }, { reason: "a formation alert without its area" }],
  });
});

describeWithSamples("telegrams of the JMA", (samples) => {
  const telegram = readFileSync(join(samples, "jma/xml/10_05_02_200826_VPTW60.xml"), "utf8");
  const read = (remark: string) =>
    parseText("VPTW61.xml", telegram.replace("台風発生予想", remark), now).reports[0]!;

  it.each([
    ["台風発生予想", false],
    ["温帯低気圧化しつつある", false],
    ["発表間隔変更（毎時から３時間毎）", false],
    ["台風発生の可能性が小さくなった", true],
    ["台風消滅（域外へ出る）", true],
    ["台風消滅（熱帯低気圧化）", true],
  ])("%s: the last one is %s", (remark, isFinal) => {
    const report = read(remark);
    expect(report.isFinal).toBe(isFinal);
    expect(report.observed).toHaveLength(1);
  });
});

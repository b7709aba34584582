import { expect, it } from "vitest";
import { describeWithSamples } from "../../../test/samples.ts";
import { at, fixture, readSample } from "../../../test/storm-texts.ts";
import { parseText } from "./text.ts";

const now = at("2026-09-25T10:00");
const nowhere = (name: string) => fixture(name).replace(/ {3}WARNING POSITION:[\s\S]*(?=REMARKS:)/, "");

it("a final warning in words without a position still ends the storm; any other one is refused", () => {
  const { reports, problems } = parseText("wp3226web.txt", nowhere("wtio33-of-32w.txt"), now);
  expect(problems).toEqual([]);
  expect(reports).toMatchObject([
    { source: "warning", basin: "WP", number: 32, isFinal: true, observed: [] },
  ]);
  expect(reports[0]).not.toHaveProperty("forecast");
  const goesOn = parseText("wp3226web.txt", nowhere("wtio33-goes-on.txt"), now);
  expect(goesOn).toMatchObject({ reports: [], problems: [{ reason: "no warning position" }] });
});

it("an obsolete final warning without a position ends nothing: its slot may have another storm by now", () => {
  const { reports, problems } = parseText("wp3226web.txt", nowhere("wtio33-of-32w.txt"), now + 60 * 3600);
  expect([reports, problems[0]!.reason]).toEqual([[], expect.stringMatching(/^stale/)]);
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

describeWithSamples("telegrams of the JMA", (samples) => {
  it.each([
    ["台風発生予想", false],
    ["温帯低気圧化しつつある", false],
    ["発表間隔変更（毎時から３時間毎）", false],
    ["台風発生の可能性が小さくなった", true],
    ["台風消滅（域外へ出る）", true],
    ["台風消滅（熱帯低気圧化）", true],
  ])("%s: the last one is %s", (remark, isFinal) => {
    const telegram = readSample(samples, "jma/xml/10_05_02_200826_VPTW60.xml");
    const { reports } = parseText("VPTW61.xml", telegram.replace("台風発生予想", remark), now);
    expect([reports[0]!.isFinal, reports[0]!.observed.length]).toEqual([isFinal, 1]);
  });
});

import { expect, it } from "vitest";
import { formationAlert as alert, outlook } from "#server/storms/parse/testing.ts";
import { parseText } from "#server/storms/parse/text.ts";

const now = Date.UTC(2026, 8, 25, 7) / 1000;

it("reads the invests of an outlook where they are now, and not the storms", () => {
  const { reports, problems } = parseText("abpwweb.txt", outlook, now);
  expect(problems).toEqual([]);
  expect(reports).toMatchObject([
    {
      basin: "WP",
      number: 98,
      season: 2026,
      isInvest: true,
      name: null,
      observed: [{ latitude: 12.9, longitude: 144.5, vmaxKt: 20, mslpHpa: 1006, stage: "DB" }],
    },
    { basin: "SH", number: 91, season: 2027, subregion: "P", observed: [{ latitude: -9.8, vmaxKt: null }] },
  ]);
  expect(reports[0]!.issued).toBe(Date.UTC(2026, 8, 25, 6) / 1000);
});

it("reads an outlook of the Indian Ocean alike", () => {
  const indian = outlook.replace("ABPW10", "ABIO10").replaceAll("98W", "98B");
  expect(parseText("abioweb.txt", indian, now).reports[0]).toMatchObject({ basin: "IO", subregion: "B" });
});

it("reads a formation alert: where the centre was seen, not the ends of its line", () => {
  const { reports } = parseText("wp9226web.txt", alert, now);
  expect(reports).toMatchObject([
    {
      source: "formation alert",
      number: 92,
      isFinal: false,
      observed: [{ latitude: 13.1, longitude: 144.2, vmaxKt: 25, mslpHpa: 1004 }],
    },
  ]);
  expect(reports[0]!.observed[0]!.time).toBe(Date.UTC(2026, 8, 25, 12) / 1000);
});

it("knows a cancelled alert from one that says when it will be", () => {
  const cancelled = alert.replace("ALERT (INVEST 92W)", "ALERT (INVEST 92W) CANCELLATION");
  expect(parseText("wp9226web.txt", cancelled, now).reports[0]!.isFinal).toBe(true);
});

it("tells an invest without a place", () => {
  const nowhere = outlook.replaceAll("9.8S 179.4W", "THE LINE");
  expect(parseText("abpwweb.txt", nowhere, now).problems).toEqual([
    { line: 0, reason: "INVEST 91P: no position" },
  ]);
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { parseText } from "./text.ts";

const outlook = readFileSync(join(import.meta.dirname, "fixtures/abpwweb.txt"), "utf8");

it("reports an invest without a position, and reads the others", () => {
  const nowhere = outlook.replaceAll("9.8S 179.4W", "THE LINE");
  const { reports, problems } = parseText("abpwweb.txt", nowhere, Date.UTC(2026, 8, 25, 7) / 1000);
  expect(problems).toEqual([{ line: 0, reason: "INVEST 91P: no position" }]);
  expect(reports.map(({ number }) => number)).toEqual([98]);
});

it("takes an outlook of 16 days ago for one of this month, and not of the next", () => {
  const [newest] = parseText("abpwweb.txt", outlook, Date.UTC(2026, 9, 11, 7) / 1000).reports;
  expect(newest!.issued).toBe(Date.UTC(2026, 8, 25, 6) / 1000);
});

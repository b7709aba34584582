import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { stormEntry as contract } from "#lib/contract/storms.ts";
import { parseText } from "#server/storms/parse/text.ts";
import { describeWithSamples } from "#test/samples.ts";
import { stormEntry } from "./entry.ts";
import { jtwcBulletins } from "./from-jtwc.ts";

describeWithSamples("with the real samples", (samples) => {
  const folders = ["atcf/adeck", "atcf/bdeck", "jtwc", "jma/bulletins", "jma/xml"];
  it.each(folders)("every report of %s has an entry that matches the published schema", (folder) => {
    let entries = 0;
    for (const name of readdirSync(join(samples, folder))) {
      const file = join(samples, folder, name);
      if (!statSync(file).isFile()) continue;
      const now = Date.parse("2026-09-25T15:30:00Z") / 1000;
      for (const report of parseText(file, readFileSync(file, "utf8"), now).reports) {
        if (report.observed.length === 0 && !report.forecast) continue;
        const entry = stormEntry(report, { now: report.issued, generatedAt: report.issued });
        const result = contract.safeParse(entry);
        expect(result.success ? "" : `${name} ${entry.id}: ${result.error.issues[0]?.message}`).toBe("");
        if (entry.tracks.forecast && entry.provider === "jtwc" && entry.tracks.forecast.points.length > 1) {
          expect(entry.cone!.envelope_polygon!.length).toBeLessThanOrEqual(120);
        }
        entries++;
      }
    }
    expect(entries).toBeGreaterThan(0);
  });
});

describeWithSamples("decks of one storm", (samples) => {
  it("merges best track, analyses and forecast of Florence under one id", () => {
    const files = [
      "atcf/bdeck/bal062018.dat",
      "atcf/adeck/florence2018_OFCL.dat",
      "atcf/adeck/a-deck_CARQ.22",
    ];
    const now = Date.parse("2018-09-18T15:00:00Z") / 1000;
    const texts = files.map((file) => parseText(file, readFileSync(join(samples, file), "utf8"), now));
    const [florence, ...others] = jtwcBulletins(texts, [], now);
    expect(others).toEqual([]);
    expect(florence).toMatchObject({ basin: "AL", number: 6, season: 2018, name: "FLORENCE" });
    expect(florence!.observed).toHaveLength(79);
    expect(florence!.forecast!.points.map(({ fhr }) => fhr)).toEqual([0, 3, 12]);
  });
});

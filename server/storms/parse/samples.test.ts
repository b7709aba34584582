import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { MILE_KM } from "#lib/geo/sphere.ts";
import type { Fix, Parsed, Report } from "#server/storms/bulletin.ts";
import facts from "#server/storms/parse/fixtures/facts.json" with { type: "json" };
import oracle from "#server/storms/parse/fixtures/oracle.json" with { type: "json" };
import { describeWithSamples } from "#test/samples.ts";
import { parseText } from "./text.ts";

const at = (iso: string) => Date.parse(iso) / 1000;

/** When the texts were received whose heading gives only the day of the month. */
const received: Record<string, string> = {
  "jtwc/wp2426web_dujuan_nr022.txt": "2026-09-20T21:30:00Z",
  "jma/wtpq50_rjtd_2613_dolphin.txt": "2026-08-08T01:00:00Z",
};

const refused: Record<string, RegExp> = {
  "jtwc/wtio31_split_part2_must_be_refused.txt": /part 2 of 2/,
  "jtwc/wtpn54_stale_2024.txt": /stale.*2024-11-16T06:00Z/,
};

describeWithSamples("the real samples", (samples) => {
  const files = ["atcf", "jtwc", "jma", "nhc"]
    .flatMap((folder) =>
      readdirSync(join(samples, folder), { recursive: true }).map((file) => join(folder, String(file))),
    )
    .filter((file) => statSync(join(samples, file)).isFile());
  const parse = (file: string): Parsed =>
    parseText(file, readFileSync(join(samples, file), "utf8"), at(received[file] ?? "2026-09-25T15:30:00Z"));
  const only = (file: string): Report => {
    const { reports, problems } = parse(file);
    expect({ count: reports.length, problems }).toEqual({ count: 1, problems: [] });
    return reports[0]!;
  };

  it.each(files)("%s is read without a problem, or refused with the reason", (file) => {
    const { reports, problems, listed } = parse(file);
    const reason = refused[file];
    if (reason) {
      expect(problems).toEqual([{ line: 0, reason: expect.stringMatching(reason) }]);
      expect(reports).toEqual([]);
    } else {
      expect(problems).toEqual([]);
      expect(reports.length + (listed ? 1 : 0)).toBeGreaterThan(0);
      for (const report of reports) expect(faultsOf(report)).toEqual([]);
    }
  });

  it.each(Object.entries(oracle.decks))(
    "%s agrees with another reading of its best track",
    (file, expected) => {
      const { observed } = only(file);
      const sum = (value: (fix: Fix) => number) => observed.reduce((total, fix) => total + value(fix), 0);
      const miles = (threshold: 34 | 50 | 64) =>
        Math.round(
          sum(({ radiiKm }) => {
            const { ne = 0, se = 0, sw = 0, nw = 0 } = radiiKm[threshold] ?? {};
            return ((ne ?? 0) + (se ?? 0) + (sw ?? 0) + (nw ?? 0)) / MILE_KM;
          }),
        );
      expect({
        fixes: observed.length,
        first: observed[0]!.time,
        last: observed.at(-1)!.time,
        latitudes: Math.round(sum(({ latitude }) => 10 * latitude)),
        longitudes: Math.round(sum(({ longitude }) => 10 * longitude)),
        winds: sum(({ vmaxKt }) => vmaxKt ?? 0),
        pressures: sum(({ mslpHpa }) => mslpHpa ?? 0),
        miles: { 34: miles(34), 50: miles(50), 64: miles(64) },
      }).toEqual(expected);
    },
  );

  it.each(Object.entries(oracle.bulletins))(
    "%s agrees with another reading of its bulletins",
    (file, expected) => {
      const reports = parse(file).reports.filter(({ source }) => source === "warning");
      const parts: (Fix & { circleKm?: number | null })[] = reports.flatMap(
        ({ observed, forecast }) => forecast?.points ?? observed,
      );
      const sum = (value: (part: (typeof parts)[number]) => number) =>
        Math.round(parts.reduce((total, part) => total + value(part), 0));
      expect({
        bulletins: reports.length,
        parts: parts.length,
        winds: sum(({ vmaxKt }) => vmaxKt ?? 0),
        pressures: sum(({ mslpHpa }) => mslpHpa ?? 0),
        circles: sum(({ circleKm }) => (circleKm ?? 0) / MILE_KM),
        gale: sum(({ radiiKm }) => (radiiKm[30]?.ne ?? 0) / MILE_KM),
        storm: sum(({ radiiKm }) => (radiiKm[50]?.ne ?? 0) / MILE_KM),
        latitudes: sum(({ latitude }) => 10 * latitude),
        longitudes: sum(({ longitude }) => 10 * longitude),
      }).toEqual(expected);
    },
  );

  it.each(Object.entries(oracle.telegrams))(
    "%s agrees with another reading of its parts",
    (file, expected) => {
      const { observed, forecast } = only(file);
      const parts: (Fix & { fhr?: number; circleKm?: number | null })[] = forecast?.points ?? observed;
      expect(
        parts.map(({ fhr, vmaxKt, circleKm }) => [
          fhr ?? 0,
          vmaxKt ?? 0,
          Math.round((circleKm ?? 0) / MILE_KM),
        ]),
      ).toEqual(expected);
    },
  );

  it("reads the landfall rows of a best track at their minute, not as synoptic fixes", () => {
    const odd = only("atcf/bdeck/bal062018.dat").observed.filter(({ time }) => time % 3600 !== 0);
    expect(odd.map(({ time }) => new Date(time * 1000).toISOString())).toEqual(["2018-09-14T11:15:00.000Z"]);
  });

  it("knows the invest that became a storm, by the remark in its deck", () => {
    expect(only("atcf/bdeck/bal062018.dat").formerly).toEqual(["AL902018"]);
  });

  it("takes a row of a threshold with four zeros for no radii", () => {
    const last = only("atcf/bdeck/bal062018.dat").observed.at(-1)!;
    expect(last).toMatchObject({ time: at("2018-09-18T12:00:00Z"), vmaxKt: 25, stage: "EX" });
    expect(last.radiiKm).toEqual({});
  });

  it("brings the winds of TCVitals back to 5 kt, and takes −999 for missing", () => {
    const { reports } = parse("jtwc/tcvitals_2026_live_capture.txt");
    const winds = reports.flatMap(({ observed }) => observed.map(({ vmaxKt }) => vmaxKt));
    expect(winds.length).toBeGreaterThan(4);
    expect(winds.filter((wind) => wind === null || wind % 5 !== 0)).toEqual([]);
    const noul = reports.find(({ basin, number }) => basin === "WP" && number === 11)!;
    expect(noul.observed[0]!.radiiKm).toEqual({});
    expect(noul.observed.find(({ vmaxKt }) => vmaxKt === 35)!.radiiKm).toEqual({
      34: { ne: 130, se: 259, sw: 278, nw: 93 },
    });
  });

  it("takes a season from its second year where the storm began in the first", () => {
    expect(only("atcf/bdeck/bsh032024.dat")).toMatchObject({ season: 2024, name: "JASPER", subregion: "P" });
    expect(only("atcf/bdeck/bsh082021.dat")).toMatchObject({ season: 2021, subregion: "S" });
    expect(only("atcf/bdeck/bsh062022.dat")).toMatchObject({ subregion: "P" });
  });

  it("takes the newest official forecast of a deck with all of them", () => {
    const { forecast, observed } = only("atcf/adeck/florence2018_OFCL.dat");
    expect(forecast!.base).toBe(at("2018-09-18T12:00:00Z"));
    expect(forecast!.points.map(({ fhr }) => fhr)).toEqual([0, 3, 12]);
    expect(observed).toEqual([]);
  });

  it("reads the coded warning: lines, radii, track, prose", () => {
    const report = only("jtwc/wp2526.tcw");
    expect(report).toMatchObject({ basin: "WP", number: 25, season: 2026, name: "SURIGAE", isFinal: false });
    expect(report.issued).toBe(at("2026-09-25T15:00:00Z"));
    expect(report.observed).toHaveLength(22);
    expect(report.observed.at(-1)).toEqual({
      time: at("2026-09-25T12:00:00Z"),
      latitude: 21.4,
      longitude: 128.2,
      vmaxKt: 50,
      mslpHpa: 998,
      stage: "TS",
      radiiKm: { 34: { ne: 60 * 1.852, se: 35 * 1.852, sw: 45 * 1.852, nw: 70 * 1.852 } },
    });
    const { base, points } = report.forecast!;
    expect(base).toBe(at("2026-09-25T12:00:00Z"));
    expect(points.map(({ fhr }) => fhr)).toEqual([0, 12, 24, 36, 48, 60, 72, 96, 120]);
    expect(points[1]).toMatchObject({ latitude: 22.5, longitude: 127.2, vmaxKt: 60, mslpHpa: null });
    expect(points[1]!.radiiKm[50]).toEqual({ ne: 15 * 1.852, se: 15 * 1.852, sw: 0, nw: 15 * 1.852 });
    // "Becoming" extratropical is not yet so.
    expect(points.at(-1)!.stage).toBeNull();
  });

  it("reads the warning in words", () => {
    const report = only("jtwc/wp2426web_dujuan_nr022.txt");
    expect(report).toMatchObject({ basin: "WP", number: 24, season: 2026, name: "DUJUAN", isFinal: false });
    expect(report.observed).toMatchObject([
      {
        time: at("2026-09-20T18:00:00Z"),
        latitude: 31.3,
        longitude: 137.9,
        vmaxKt: 60,
        mslpHpa: 976,
        stage: "TS",
      },
    ]);
    const { points } = report.forecast!;
    expect(points.map(({ fhr, vmaxKt, stage }) => [fhr, vmaxKt, stage])).toEqual([
      [0, 60, "TS"],
      [12, 65, null],
      [24, 70, null],
      [36, 65, null],
      [48, 55, null],
      [60, 45, "EX"],
    ]);
    expect(points[3]!.radiiKm[64]).toEqual({ ne: 0, se: 30 * 1.852, sw: 20 * 1.852, nw: 0 });
    expect(points[5]!.radiiKm).toEqual({
      34: { ne: 50 * 1.852, se: 120 * 1.852, sw: 180 * 1.852, nw: 110 * 1.852 },
    });
  });

  it("reads the advisory of RSMC Tokyo: the wider side of an area, circles, speeds in words", () => {
    const report = only("jma/wtpq50_rjtd_2613_dolphin.txt");
    expect(report).toMatchObject({ number: 13, season: 2026, name: "DOLPHIN" });
    expect(report.observed[0]).toMatchObject({ vmaxKt: 85, mslpHpa: 945, stage: "TY" });
    expect(report.observed[0]!.radiiKm[30]!.ne).toBeCloseTo(325 * 1.852, 6);
    expect(
      report.forecast!.points.map(({ fhr, circleKm, vmaxKt, stage }) => [fhr, circleKm, vmaxKt, stage]),
    ).toEqual([
      [0, undefined, 85, "TY"],
      [12, 25 * 1.852, 80, null],
      [24, 35 * 1.852, 80, null],
      [96, 100 * 1.852, null, "TD"],
    ]);
  });

  it("calls a depression with a letter an invest without a name, and one that had a name by it", () => {
    expect(parse("jma/bulletins/tc_TC2614.json").reports[0]).toMatchObject({
      number: 91,
      isInvest: true,
      name: null,
    });
    expect(only("jma/specifications_TC2410_jongdari_td_only.json")).toMatchObject({
      number: 9,
      isInvest: false,
      name: "JONGDARI",
      code: "TC2410",
    });
    const numbers = parse("jma/bulletins/tc_TC2621.json").reports.map(({ number }) => number);
    expect([...new Set(numbers)]).toEqual([91, 18]);
  });

  it("steps back 3 h a point on the line drawn behind a storm", () => {
    const drawn = parse("jma/bulletins/tc_TC2614.json").reports.find(
      ({ source }) => source === "drawn track",
    )!;
    expect(
      drawn.observed.map(({ time, latitude }) => [new Date(time * 1000).toISOString(), latitude]),
    ).toEqual([
      ["2026-07-23T00:00:00.000Z", 15.9],
      ["2026-07-23T03:00:00.000Z", 16.8],
      ["2026-07-23T06:00:00.000Z", 17.1],
    ]);
  });

  it("lists who is active", () => {
    expect(parse("jma/targetTc_20260831_multi.json").listed!.keys).toEqual([
      "TC2628",
      "TC2621",
      "TC2626",
      "TC2625",
    ]);
    expect(parse("nhc/CurrentStorms_sample_2020_Arthur.json").listed!.keys).toEqual(["AL012020"]);
    expect(only("nhc/CurrentStorms_sample_2020_Arthur.json").observed).toMatchObject([
      {
        time: at("2020-05-17T06:00:00Z"),
        latitude: 29.6,
        longitude: -77.7,
        vmaxKt: 35,
        mslpHpa: 1006,
        stage: "TS",
      },
    ]);
  });
});

/** What no report may be, whatever the text. */
function faultsOf({ observed, forecast, name, isInvest }: Report): string[] {
  const points = [...observed, ...(forecast?.points ?? [])];
  return [
    ...points.flatMap(({ latitude, longitude, vmaxKt, mslpHpa }) => [
      ...(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? [] : [`place ${latitude} ${longitude}`]),
      ...(vmaxKt === null || (vmaxKt > 0 && vmaxKt <= 250) ? [] : [`wind ${vmaxKt}`]),
      ...(mslpHpa === null || (mslpHpa >= 800 && mslpHpa <= 1100) ? [] : [`pressure ${mslpHpa}`]),
    ]),
    ...ascendingFault("observed", observed),
    ...ascendingFault("forecast", forecast?.points ?? []),
    ...(name === null || name === name.toUpperCase() ? [] : ["name"]),
    ...(isInvest && name !== null ? ["a named invest"] : []),
    ...(forecast?.points ?? []).flatMap(({ time, fhr }) =>
      time === forecast!.base + 3600 * fhr ? [] : [`time of ${fhr} h`],
    ),
  ];
}

function ascendingFault(what: string, fixes: readonly Fix[]): string[] {
  return fixes.every(({ time }, index) => index === 0 || time > fixes[index - 1]!.time) ? [] : [what];
}

const textOf = (file: string) => readFileSync(join(import.meta.dirname, "fixtures", file), "utf8");

/** Cases that no real sample has, with the values written into them. See fixtures/make_fixtures.py. */
it.each(facts)("$file: $shows", ({ file, now, reports, problems }) => {
  const parsed = parseText(file, textOf(file), now);
  expect(parsed.problems).toEqual(problems);
  expect(parsed.reports).toMatchObject(reports);
  // Radii that were not written must not appear.
  const radii = (of: readonly { observed: readonly object[] }[]) =>
    of.flatMap(({ observed }) => observed.map((fix) => ("radiiKm" in fix ? fix.radiiKm : {})));
  expect(radii(parsed.reports)).toEqual(radii(reports));
});

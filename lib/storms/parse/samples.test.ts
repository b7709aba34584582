import { MILE_KM } from "@open-metocean/geo/sphere";
import { expect, it } from "vitest";
import { describeWithSamples } from "../../../test/samples.ts";
import { at, fixture, parseReceived, readSample, sampleFiles } from "../../../test/storm-texts.ts";
import type { Fix, ForecastFix, Report } from "../bulletin.ts";
import oracle from "./fixtures/oracle.json" with { type: "json" };

const refused: Record<string, RegExp> = {
  "jtwc/wtio31_split_part2_must_be_refused.txt": /part 2 of 2/,
  "jtwc/wtpn54_stale_2024.txt": /stale.*2024-11-16T06:00Z/,
};

const km = (...miles: number[]) => {
  const [ne, se, sw, nw] = miles.map((mile) => mile * MILE_KM);
  return { ne, se, sw, nw };
};

type Part = Fix & Partial<ForecastFix>;

describeWithSamples("the real samples", (samples) => {
  const parse = (file: string) => parseReceived(file, readSample(samples, file));
  const only = (file: string): Report => {
    const { reports, problems } = parse(file);
    expect({ count: reports.length, problems }).toEqual({ count: 1, problems: [] });
    return reports[0]!;
  };
  const sums = (of: readonly Part[]) => (value: (part: Part) => number | null | undefined) =>
    Math.round(of.reduce((total, part) => total + (value(part) ?? 0), 0));

  it.each(sampleFiles(samples, "atcf", "jtwc", "jma", "nhc"))(
    "%s is read without a problem, or refused with the reason",
    (file) => {
      const { reports, problems, listed } = parse(file);
      const reason = refused[file];
      expect(problems).toEqual(reason ? [{ line: 0, reason: expect.stringMatching(reason) }] : []);
      expect(reports.length + (listed ? 1 : 0) > 0).toBe(!reason);
      for (const report of reports) expect(faultsOf(report)).toEqual([]);
    },
  );

  it.each(Object.entries(oracle.decks))(
    "%s agrees with another reading of its best track",
    (file, expected) => {
      const { observed } = only(file);
      const sum = sums(observed);
      const miles = (threshold: 34 | 50 | 64) =>
        sum(({ radiiKm }) => {
          const { ne, se, sw, nw } = radiiKm[threshold] ?? {};
          return ((ne ?? 0) + (se ?? 0) + (sw ?? 0) + (nw ?? 0)) / MILE_KM;
        });
      expect({
        fixes: observed.length,
        first: observed[0]!.time,
        last: observed.at(-1)!.time,
        latitudes: sum(({ latitude }) => 10 * latitude),
        longitudes: sum(({ longitude }) => 10 * longitude),
        winds: sum(({ vmaxKt }) => vmaxKt),
        pressures: sum(({ mslpHpa }) => mslpHpa),
        miles: { 34: miles(34), 50: miles(50), 64: miles(64) },
      }).toEqual(expected);
    },
  );

  it.each(Object.entries(oracle.bulletins))(
    "%s agrees with another reading of its bulletins",
    (file, expected) => {
      const reports = parse(file).reports.filter(({ source }) => source === "warning");
      const parts = reports.flatMap(
        ({ observed, forecast }): readonly Part[] => forecast?.points ?? observed,
      );
      const sum = sums(parts);
      expect({
        bulletins: reports.length,
        parts: parts.length,
        winds: sum(({ vmaxKt }) => vmaxKt),
        pressures: sum(({ mslpHpa }) => mslpHpa),
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
      const parts: readonly Part[] = forecast?.points ?? observed;
      const values = parts.map(({ fhr = 0, vmaxKt, circleKm }) => [
        fhr,
        vmaxKt ?? 0,
        Math.round((circleKm ?? 0) / MILE_KM),
      ]);
      expect(values).toEqual(expected);
    },
  );

  it("brings the winds of TCVitals back to 5 kt, and takes −999 for missing", () => {
    const { reports } = parse("jtwc/tcvitals_2026_live_capture.txt");
    const winds = reports.flatMap(({ observed }) => observed.map(({ vmaxKt }) => vmaxKt));
    expect(winds.length).toBeGreaterThan(4);
    expect(winds.filter((wind) => wind === null || wind % 5 !== 0)).toEqual([]);
    const { observed } = reports.find(({ basin, number }) => basin === "WP" && number === 11)!;
    expect(observed[0]!.radiiKm).toEqual({});
    const gales = { 34: { ne: 130, se: 259, sw: 278, nw: 93 } };
    expect(observed.find(({ vmaxKt }) => vmaxKt === 35)!.radiiKm).toEqual(gales);
  });

  it.each([
    ["atcf/bdeck/bsh032024.dat", { season: 2024, name: "JASPER", subregion: "P" }],
    ["atcf/bdeck/bsh082021.dat", { season: 2021, subregion: "S" }],
    ["atcf/bdeck/bal062018.dat", { season: 2018, name: "FLORENCE", formerly: ["AL902018"] }],
    ["jma/specifications_TC2410_jongdari_td_only.json", { number: 9, name: "JONGDARI", code: "TC2410" }],
  ])("%s is of the storm and the season that it names", (file, storm) => {
    expect(only(file)).toMatchObject({ ...storm, isInvest: false });
  });

  it("reads the coded warning: lines, radii, track, prose", () => {
    const { observed, forecast, ...report } = only("jtwc/wp2526.tcw");
    expect(report).toMatchObject({ basin: "WP", number: 25, season: 2026, name: "SURIGAE", isFinal: false });
    expect(report.issued).toBe(at("2026-09-25T15:00:00Z"));
    expect(observed).toHaveLength(22);
    expect(observed.at(-1)).toEqual({
      time: at("2026-09-25T12:00:00Z"),
      latitude: 21.4,
      longitude: 128.2,
      vmaxKt: 50,
      mslpHpa: 998,
      stage: "TS",
      radiiKm: { 34: km(60, 35, 45, 70) },
    });
    expect(forecast!.points.map(({ fhr }) => fhr)).toEqual([0, 12, 24, 36, 48, 60, 72, 96, 120]);
    expect(forecast!.points[1]).toMatchObject({
      latitude: 22.5,
      longitude: 127.2,
      vmaxKt: 60,
      mslpHpa: null,
    });
    expect(forecast!.points[1]!.radiiKm[50]).toEqual(km(15, 15, 0, 15));
    // "Becoming" extratropical is not yet so.
    expect(forecast!.points.at(-1)!.stage).toBeNull();
  });

  it("reads the warning in words", () => {
    const { observed, forecast, ...report } = only("jtwc/wp2426web_dujuan_nr022.txt");
    expect(report).toMatchObject({ basin: "WP", number: 24, season: 2026, name: "DUJUAN", isFinal: false });
    const analysis = { latitude: 31.3, longitude: 137.9, vmaxKt: 60, mslpHpa: 976, stage: "TS" };
    expect(observed).toMatchObject([{ time: at("2026-09-20T18:00:00Z"), ...analysis }]);
    const points = forecast!.points.map(({ fhr, vmaxKt, stage }) => [fhr, vmaxKt, stage].join(" "));
    expect(points).toEqual(["0 60 TS", "12 65 ", "24 70 ", "36 65 ", "48 55 ", "60 45 EX"]);
    expect(forecast!.points[3]!.radiiKm[64]).toEqual(km(0, 30, 20, 0));
    expect(forecast!.points[5]!.radiiKm).toEqual({ 34: km(50, 120, 180, 110) });
  });

  it("reads the advisory of RSMC Tokyo: the wider side of an area, circles, speeds in words", () => {
    const { observed, forecast, ...report } = only("jma/wtpq50_rjtd_2613_dolphin.txt");
    expect(report).toMatchObject({ number: 13, season: 2026, name: "DOLPHIN" });
    expect(observed[0]).toMatchObject({ vmaxKt: 85, mslpHpa: 945, stage: "TY" });
    expect(observed[0]!.radiiKm[30]!.ne).toBeCloseTo(325 * MILE_KM, 6);
    const points = forecast!.points.map((point) => [point.fhr, point.circleKm, point.vmaxKt, point.stage]);
    expect(points).toEqual([
      [0, undefined, 85, "TY"],
      [12, 25 * MILE_KM, 80, null],
      [24, 35 * MILE_KM, 80, null],
      [96, 100 * MILE_KM, null, "TD"],
    ]);
  });

  it("calls a depression with a letter an invest without a name, and dates the line drawn behind it", () => {
    const { reports } = parse("jma/bulletins/tc_TC2614.json");
    expect(reports[0]).toMatchObject({ number: 91, isInvest: true, name: null });
    const { observed } = reports.find(({ source }) => source === "drawn track")!;
    expect(observed.map(({ time, latitude }) => [time, latitude])).toEqual([
      [at("2026-07-23T00:00"), 15.9],
      [at("2026-07-23T03:00"), 16.8],
      [at("2026-07-23T06:00"), 17.1],
    ]);
  });

  it("lists who is active", () => {
    const tokyo = parse("jma/targetTc_20260831_multi.json").listed!;
    expect(tokyo.keys).toEqual(["TC2628", "TC2621", "TC2626", "TC2625"]);
    const { listed, reports } = parse("nhc/CurrentStorms_sample_2020_Arthur.json");
    expect(listed!.keys).toEqual(["AL012020"]);
    const fix = { latitude: 29.6, longitude: -77.7, vmaxKt: 35, mslpHpa: 1006, stage: "TS" };
    expect(reports[0]!.observed).toMatchObject([{ time: at("2020-05-17T06:00:00Z"), ...fix }]);
  });
});

/** Faults that a report must not have, whatever the text. */
function faultsOf({ observed, forecast, name, isInvest }: Report): string[] {
  const points = [...observed, ...(forecast?.points ?? [])];
  const isOrdered = (fixes: readonly Fix[]) =>
    fixes.every(({ time }, index) => index === 0 || time > fixes[index - 1]!.time);
  return [
    ...points.flatMap(({ latitude, longitude, vmaxKt, mslpHpa }) => [
      ...(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180 ? [] : [`place ${latitude} ${longitude}`]),
      ...(vmaxKt === null || (vmaxKt > 0 && vmaxKt <= 250) ? [] : [`wind ${vmaxKt}`]),
      ...(mslpHpa === null || (mslpHpa >= 800 && mslpHpa <= 1100) ? [] : [`pressure ${mslpHpa}`]),
    ]),
    ...(isOrdered(observed) && isOrdered(forecast?.points ?? []) ? [] : ["order"]),
    ...(name === null || (name === name.toUpperCase() && !isInvest) ? [] : [`name ${name}`]),
    ...(forecast?.points ?? []).flatMap(({ time, fhr }) =>
      time === forecast!.base + 3600 * fhr ? [] : [`time of ${fhr} h`],
    ),
  ];
}

it.each([
  ["wtio33-of-32w.txt", true],
  ["wtio33-goes-on.txt", false],
])(
  "%s is of the numbered line's storm, in another ocean's slot: final, broken across lines, %s",
  (file, isFinal) => {
    const { reports, problems } = parseReceived(file, fixture(file));
    const [first, next] = [
      { fhr: 0, stage: "TS", vmaxKt: 35, latitude: 8.4, longitude: 98.7, time: at("2026-09-25T06:00") },
      { fhr: 12, stage: "DS", vmaxKt: 25, latitude: 8.9, longitude: 96.4 },
    ];
    expect(problems).toEqual([]);
    expect(reports).toMatchObject([
      { basin: "WP", number: 32, name: null, isFinal, forecast: { base: first.time, points: [first, next] } },
    ]);
  },
);

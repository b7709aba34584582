import { describe, expect, it } from "vitest";
import { describeWithSamples } from "../../../test/samples.ts";
import { seeded } from "../../../test/seeded.ts";
import {
  fixture,
  fixtureNames,
  parseReceived as parse,
  readSample,
  sampleFiles,
} from "../../../test/storm-texts.ts";

/** Cuts of each text; `CUTS=all npx vitest run lib/storms/parse/damaged` tries every byte of the long ones too. */
const maxCuts = process.env.CUTS === "all" ? Number.POSITIVE_INFINITY : 50;

/** Damaged versions of each text; `FUZZ_ROUNDS=100000 npx vitest run lib/storms/parse/damaged` for a thorough run. */
const rounds = Number(process.env.FUZZ_ROUNDS ?? 50);

/** Processor time to read one text, microseconds. */
const MAX_CPU_US = 5e6;

/** Every position of a short text; many positions of a long one, and all near its end. */
function cutsOf(length: number): number[] {
  const step = Math.max(1, Math.ceil(length / maxCuts));
  const cuts = Array.from({ length: Math.floor(length / step) }, (_, index) => index * step);
  return [...cuts, ...Array.from({ length: 40 }, (_, index) => length - 1 - index)].filter((cut) => cut >= 0);
}

/** A cut text is the whole one, or nothing and the reason. */
function expectWholeOrNothing(file: string, text: string): void {
  const whole = parse(file, text);
  expect(whole.isCut).toBeUndefined();
  // Bytes, not characters: an interrupted mirror cuts in the middle of a letter too.
  const bytes = Buffer.from(text);
  for (const cut of cutsOf(bytes.length)) {
    const part = parse(file, bytes.subarray(0, cut).toString("utf8"));
    const isNothing =
      part.reports.length === 0 && !part.listed && /^cut: /.test(part.problems[0]?.reason ?? "");
    if (part.isCut) expect({ cut, isNothing }).toEqual({ cut, isNothing: true });
    else expect({ cut, ...part }).toEqual({ cut, ...whole });
  }
}

it.each(fixtureNames)("%s that is cut is read as the whole one, or refused with the reason", (file) =>
  expectWholeOrNothing(file, fixture(file)),
);

describeWithSamples("a real text that is damaged", (samples) => {
  const textOf = (file: string) => readSample(samples, file);
  const files = sampleFiles(samples, "jtwc", "jma", "nhc").filter(
    (file) => !/refused|stale|tcvitals/.test(file),
  );

  it.each(files)("%s that is cut is read as the whole one, or refused with the reason", (file) =>
    expectWholeOrNothing(file, textOf(file)),
  );

  it.each(["jtwc/wp2526.tcw", "jtwc/wp2426web_dujuan_nr022.txt"])(
    "%s may be without NNNN, as some mirrors have it: then its form must be complete",
    (file) => {
      const stripped = textOf(file).replace(/NNNN\s*$/, "");
      expect(parse(file, stripped)).toEqual(parse(file, textOf(file)));
      expectWholeOrNothing(file, stripped);
    },
  );

  it.each(["atcf/bdeck/bal062018.dat", "atcf/bdeck/bwp022023.dat", "jtwc/tcvitals_2026_live_capture.txt"])(
    "%s has the whole rows of a part, and tells that one is partial",
    (file) => {
      const text = textOf(file).slice(0, 1500);
      for (let cut = 0; cut < text.length; cut++) {
        const whole = text.slice(0, text.lastIndexOf("\n", cut - 1) + 1);
        const { reports, isCut, problems } = parse(file, text.slice(0, cut));
        const isPartial = whole === "" || text.slice(whole.length, cut).trim() !== "";
        expect({ cut, reports }).toEqual({ cut, reports: whole === "" ? [] : parse(file, whole).reports });
        expect(isCut ?? false).toBe(isPartial);
        if (isPartial) expect(problems.at(-1)!.reason).toMatch(/^cut: /);
      }
    },
  );

  it("a forecast deck that is cut within its newest forecast has the one before, never a shorter one", () => {
    const file = "atcf/adeck/florence2018_OFCL.dat";
    const rows = textOf(file)
      .split("\n")
      .filter((row) => row.trim() !== "");
    const byBase = [...Map.groupBy(rows, (row) => row.split(",")[2]!).values()].slice(0, 3);
    const text = `${byBase.flat().join("\n")}\n`;
    const forecasts = byBase.map((_, last) => {
      const until = byBase.slice(0, last + 1).flat();
      return JSON.stringify(parse(file, `${until.join("\n")}\n`).reports[0]!.forecast);
    });
    const seen = new Set<string>();
    for (let cut = 1; cut < text.length; cut += 7) {
      // Between two rows nothing tells the cut.
      if (text[cut - 1] === "\n") continue;
      const forecast = parse(file, text.slice(0, cut)).reports[0]?.forecast;
      if (forecast) seen.add(JSON.stringify(forecast));
    }
    // The newest is not whole at any cut.
    expect([...seen]).toEqual(forecasts.slice(0, -1));
  });

  const lines = (file: string, count: number) => `${textOf(file).split("\n").slice(0, count).join("\n")}\n`;
  const [snapshot] = JSON.parse(textOf("jma/bulletins/tc_TC2614.json")).snapshots;
  const damagedTexts: [string, string][] = [
    ["atcf/bal062018.dat", lines("atcf/bdeck/bal062018.dat", 12)],
    // With the reach of seas of 12 ft.
    ["atcf/bal062018.dat", textOf("atcf/bdeck/bal062018.dat").split("\n").slice(-9).join("\n")],
    ["atcf/aal062018.dat", lines("atcf/adeck/florence2018_OFCL.dat", 12)],
    ["atcf/cal062018.dat", lines("atcf/adeck/a-deck_CARQ.22", 12)],
    ["TC2614/specifications.json", JSON.stringify(snapshot.specifications)],
    ["TC2614/forecast.json", JSON.stringify(snapshot.forecast)],
    ...fixtureNames.map((file): [string, string] => [file, fixture(file)]),
    ...files
      .filter((file) => /jtwc|\.txt$|\.xml$|CurrentStorms|targetTc|tc_TC2614/.test(file))
      .map((file): [string, string] => [file, textOf(file)]),
  ];

  it.each(damagedTexts)(
    "%s: whatever the damage, nothing throws or hangs, and all values are possible",
    (file, text) => {
      const random = seeded(20_261_121);
      for (let round = 0; round < rounds; round++) {
        const wounded = damaged(text, random);
        const begin = process.cpuUsage();
        const { reports, problems } = parse(file, wounded);
        expect(process.cpuUsage(begin).user).toBeLessThan(MAX_CPU_US);
        for (const { reason } of problems) if (reason.length > 200) expect(reason).toHaveLength(200);
        const fixes = reports.flatMap(({ observed, forecast }) => [...observed, ...(forecast?.points ?? [])]);
        const impossible = fixes.filter(
          ({ time, latitude, longitude, vmaxKt, seas12ftKm = {} }) =>
            !Number.isFinite(time) ||
            !(Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180) ||
            !(vmaxKt === null || (vmaxKt > 0 && vmaxKt <= 250)) ||
            !Object.values(seas12ftKm).every((km) => km === null || (km >= 0 && km < 4000)),
        );
        if (impossible.length > 0) expect({ wounded, impossible }).toBe("possible");
      }
    },
    3_600_000,
  );
});

const tokens = [
  ..."|0|-1|99999999999999999999|1e400|NaN|null|-999|\u0000|\uFEFF|𝟙|,,,,|NEQ".split("|"),
  ..."<!DOCTYPE a [<!ENTITY b 'c'>]>|&b;|<Kind>|</Kind>|[|{|999N 9999E|00000000".split("|"),
  '"__proto__":{"x":1},',
  " ".repeat(300),
  "(".repeat(300),
];

/** One to four changes: a piece removed, doubled, moved, overwritten or cut off. */
function damaged(text: string, random: () => number): string {
  let result = text;
  for (let wounds = 1 + Math.floor(random() * 4); wounds > 0; wounds--) {
    const from = Math.floor(random() * (result.length + 1));
    const to = Math.min(result.length, from + Math.floor(random() ** 3 * 200));
    const token = tokens[Math.floor(random() * tokens.length)]!;
    const digit = result.slice(from).search(/\d/) + from;
    const [before, piece, after] = [result.slice(0, from), result.slice(from, to), result.slice(to)];
    result = [
      before + after,
      before + piece + piece + after,
      before + token + after,
      before + token + piece + after,
      before + String.fromCharCode(Math.floor(random() * 300)) + result.slice(from + 1),
      result.slice(0, digit) + Math.floor(random() * 10) + result.slice(digit + 1),
      random() < 0.1 ? before : result,
    ][Math.floor(random() * 7)]!;
  }
  return result;
}

describe("what stands before a text does not make it unreadable", () => {
  const row =
    "AL, 06, 2018090100,   , BEST,   0, 100N,  300W,  35, 1000, TS,  34, NEQ,   60,   70,   80,   90,\n";
  const name = "wtio33-goes-on.txt";

  it.each([
    ["a comment", "# a mirror's remark\n#\n"],
    ["blank lines", "\n \r\n"],
    ["a byte order mark", "\uFEFF"],
    ["marks of transmission", "\u0001\r\n000\r\n"],
    ["the heading of a message switch", "ZCZC 123\n"],
  ])("%s", (_, before) => {
    const deck = parse("bal062018.dat", before + row);
    expect([deck.problems, deck.reports]).toEqual([[], parse("bal062018.dat", row).reports]);
    expect(parse(name, before + fixture(name))).toEqual(parse(name, fixture(name)));
  });

  it("keeps the numbers of the lines", () => {
    const { problems } = parse("bal062018.dat", `# one\n\n${row}AL, nonsense\n`);
    expect(problems).toEqual([{ line: 4, reason: expect.stringMatching(/storm number/) }]);
  });
});

it.each(["", "\n", "WTPN51 PG", "\uFEFF"])(
  "an empty file, or one without a whole heading, is cut: %j",
  (text) => {
    const problems = [{ line: 0, reason: expect.stringMatching(/^cut: the text/) }];
    expect(parse("wp2526.tcw", text)).toEqual({ reports: [], problems, isCut: true });
  },
);

it("refuses a part of a split warning whose forecast goes on in the next part", () => {
  const name = "wtio33-goes-on.txt";
  const part = `${fixture(name).split("REMARKS:")[0]}// END PART 01/02 //\nNNNN\n`;
  expect(parse(name, part)).toMatchObject({ reports: [], isCut: true });
});

import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Parsed } from "#server/storms/bulletin.ts";
import { describeWithSamples } from "#test/samples.ts";
import { parseText } from "./text.ts";

const at = (iso: string) => Date.parse(iso) / 1000;

/** When the texts were received whose heading gives only the day of the month. */
const received: Record<string, string> = {
  "wp2426web_dujuan_nr022.txt": "2026-09-20T21:30:00Z",
  "wtpq50_rjtd_2613_dolphin.txt": "2026-08-08T01:00:00Z",
  "abpwweb.txt": "2026-09-25T07:00:00Z",
  "abioweb.txt": "2026-09-25T07:00:00Z",
  "wp9226web.txt": "2026-09-25T13:30:00Z",
  "wp9226web-cancelled.txt": "2026-09-25T13:30:00Z",
  "wtio33-of-32w.txt": "2026-09-25T10:00:00Z",
  "wtio33-goes-on.txt": "2026-09-25T10:00:00Z",
};

const nowOf = (file: string) => at(received[file.split("/").at(-1)!] ?? "2026-09-25T15:30:00Z");

/** Cuts of each text; `CUTS=all npx vitest run server/storms/parse/ended` tries every byte of the long ones too. */
const maxCuts = process.env.CUTS === "all" ? Number.POSITIVE_INFINITY : 120;

/** Every position of a short text; of a long one many, and all at its end. */
function cutsOf(length: number): number[] {
  const step = Math.max(1, Math.ceil(length / maxCuts));
  const cuts = Array.from({ length: Math.floor(length / step) }, (_, index) => index * step);
  return [...cuts, ...Array.from({ length: 40 }, (_, index) => length - 1 - index)].filter((cut) => cut >= 0);
}

function parse(file: string, text: string): Parsed {
  return parseText(file, text, nowOf(file));
}

/** A cut text is the whole one, or nothing and the reason. */
function expectWholeOrNothing(file: string, text: string): void {
  const whole = parse(file, text);
  expect(whole.isCut).toBeUndefined();
  // Bytes, not characters: an interrupted mirror cuts in the middle of a letter too.
  const bytes = Buffer.from(text);
  for (const cut of cutsOf(bytes.length)) {
    const part = parse(file, bytes.subarray(0, cut).toString("utf8"));
    if (part.isCut) {
      if (part.reports.length > 0 || part.listed || !/^cut: /.test(part.problems[0]!.reason))
        expect({ file, cut, part }).toBe("nothing and the reason");
    } else expect({ file, cut, ...part }).toEqual({ file, cut, ...whole });
  }
}

const fixtures = join(import.meta.dirname, "fixtures");

describe("a text that is cut is read as the whole one, or refused with the reason", () => {
  const files = readdirSync(fixtures).filter(
    (file) => /\.(?:txt|tcw)$|^TC.*json$/.test(file) && file !== "ahead.tcw",
  );
  it.each(files)("%s", (file) => expectWholeOrNothing(file, readFileSync(join(fixtures, file), "utf8")));
});

describeWithSamples("a real text that is cut", (samples) => {
  const files = ["jtwc", "jma", "nhc"]
    .flatMap((folder) =>
      readdirSync(join(samples, folder), { recursive: true }).map((file) => join(folder, String(file))),
    )
    .filter((file) => statSync(join(samples, file)).isFile())
    .filter((file) => !/refused|stale|tcvitals/.test(file));
  const textOf = (file: string) => readFileSync(join(samples, file), "utf8");

  it.each(files)("%s is read as the whole one, or refused with the reason", (file) =>
    expectWholeOrNothing(file, textOf(file)),
  );

  it.each(["wp2526.tcw", "wp2426web_dujuan_nr022.txt"])(
    "%s may be without NNNN, as some mirrors have it: then its form must be complete",
    (name) => {
      const file = `jtwc/${name}`;
      const text = textOf(file);
      const stripped = text.replace(/NNNN\s*$/, "");
      expect(stripped).not.toBe(text);
      expect(parse(file, stripped)).toEqual(parse(file, text));
      expectWholeOrNothing(file, stripped);
    },
  );

  it("a deck and vitals have the whole rows of the part, and tell that one is partial", () => {
    const decks = [
      "atcf/bdeck/bal062018.dat",
      "atcf/bdeck/bwp022023.dat",
      "jtwc/tcvitals_2026_live_capture.txt",
    ];
    for (const file of decks) {
      const text = textOf(file).slice(0, 1500);
      for (let cut = 0; cut < text.length; cut++) {
        const whole = text.slice(0, text.lastIndexOf("\n", cut - 1) + 1);
        const part = parse(file, text.slice(0, cut));
        if (whole === "") {
          expect({ reports: part.reports, isCut: part.isCut }).toEqual({ reports: [], isCut: true });
        } else {
          const expected = parse(file, whole);
          expect({ cut, reports: part.reports }).toEqual({ cut, reports: expected.reports });
          const isPartial = cut > whole.length && text.slice(whole.length, cut).trim() !== "";
          expect(part.isCut ?? false).toBe(isPartial);
          if (isPartial) expect(part.problems.at(-1)!.reason).toMatch(/^cut: the last row has no line end/);
        }
      }
    }
  });

  it("a forecast deck that is cut within its newest forecast has the one before, never a shorter one", () => {
    const file = "atcf/adeck/florence2018_OFCL.dat";
    const rows = textOf(file)
      .split("\n")
      .filter((row) => row.trim() !== "");
    const base = (row: string) => row.split(",")[2]!;
    const bases = [...new Set(rows.map(base))];
    expect(bases.length).toBeGreaterThan(2);
    const text = `${rows.filter((row) => bases.slice(0, 3).includes(base(row))).join("\n")}\n`;
    const forecasts = bases.slice(0, 3).map((last) => {
      const until = rows.filter((row) => bases.indexOf(base(row)) <= bases.indexOf(last));
      return JSON.stringify(parse(file, `${until.join("\n")}\n`).reports[0]!.forecast);
    });
    for (let cut = 1; cut < text.length; cut += 7) {
      // Between two rows nothing tells the cut.
      if (text[cut - 1] === "\n") continue;
      const forecast = parse(file, text.slice(0, cut)).reports[0]?.forecast;
      if (forecast && !forecasts.includes(JSON.stringify(forecast))) expect({ cut, forecast }).toBe("whole");
    }
  });
});

describe("what stands before a text does not make it unreadable", () => {
  const row =
    "AL, 06, 2018090100,   , BEST,   0, 100N,  300W,  35, 1000, TS,  34, NEQ,   60,   70,   80,   90,\n";
  const warning = readFileSync(join(fixtures, "wtio33-goes-on.txt"), "utf8");

  it.each([
    ["a comment", "# a mirror's remark\n#\n"],
    ["blank lines", "\n \r\n"],
    ["a byte order mark", "\uFEFF"],
    ["marks of transmission", "\u0001\r\n000\r\n"],
    ["the heading of a message switch", "ZCZC 123\n"],
  ])("%s", (_, before) => {
    const deck = parse("bal062018.dat", before + row);
    expect(deck.problems).toEqual([]);
    expect(deck.reports).toEqual(parse("bal062018.dat", row).reports);
    const name = "wtio33-goes-on.txt";
    expect(parse(name, before + warning)).toEqual(parse(name, warning));
  });

  it("keeps the numbers of the lines", () => {
    const { problems } = parse("bal062018.dat", `# one\n\n${row}AL, nonsense\n`);
    expect(problems).toEqual([{ line: 4, reason: expect.stringMatching(/storm number/) }]);
  });
});

it("tells that an empty file, or one without a whole heading, is cut", () => {
  for (const text of ["", "\n", "WTPN51 PG", "\uFEFF"]) {
    expect(parse("wp2526.tcw", text)).toEqual({
      reports: [],
      problems: [{ line: 0, reason: expect.stringMatching(/^cut: the text/) }],
      isCut: true,
    });
  }
});

it("refuses a part of a split warning whose forecast goes on in the next part", () => {
  const text = readFileSync(join(fixtures, "wtio33-goes-on.txt"), "utf8");
  const name = "wtio33-goes-on.txt";
  const part = `${text.slice(0, text.indexOf("REMARKS:"))}// END PART 01/02 //\nNNNN\n`;
  expect(parse(name, part)).toMatchObject({ reports: [], isCut: true });
});

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { describeWithSamples } from "#test/samples.ts";
import { seeded } from "#test/seeded.ts";
import { parseText } from "./text.ts";

/** Number of texts for each parser; `FUZZ_ROUNDS=100000 npx vitest run server/storms/parse/fuzz` for a thorough run. */
const rounds = Number(process.env.FUZZ_ROUNDS ?? 300);

const now = Date.parse("2026-09-25T15:30:00Z") / 1000;

/** Far longer than any text takes on a busy machine: only a hang exceeds it. */
const HANG_MS = 5000;

describeWithSamples("randomly damaged texts", (samples) => {
  const file = (name: string) => readFileSync(join(samples, name), "utf8");
  const fixture = (name: string) => readFileSync(join(import.meta.dirname, "fixtures", name), "utf8");
  const lines = (name: string, count: number) =>
    file(name).split("\n").slice(0, count).join("\n").concat("\n");
  const snapshot = JSON.parse(file("jma/bulletins/tc_TC2614.json")) as {
    snapshots: Record<string, unknown>[];
  };
  const parsers: Record<string, [string, string[]]> = {
    "best track": [
      "bal062018.dat",
      [
        lines("atcf/bdeck/bal062018.dat", 12),
        lines("atcf/bdeck/bsh242020.dat", 8),
        // With the reach of seas of 12 ft.
        file("atcf/bdeck/bal062018.dat").split("\n").slice(-9).join("\n"),
      ],
    ],
    "forecast deck": ["aal062018.dat", [lines("atcf/adeck/florence2018_OFCL.dat", 12)]],
    analyses: ["cal062018.dat", [lines("atcf/adeck/a-deck_CARQ.22", 12)]],
    vitals: ["vitals.txt", [file("jtwc/tcvitals_2026_live_capture.txt")]],
    "coded warning": [
      "wp2526.tcw",
      // As it is, and as mirrors have it that leave out the end mark.
      [file("jtwc/wp2526.tcw"), file("jtwc/wp2526.tcw").replace(/NNNN\s*$/, "")],
    ],
    "warning in words": [
      "wp2526web.txt",
      [file("jtwc/wp2426web_dujuan_nr022.txt").replaceAll("202100", "252100").replaceAll("201800", "251200")],
    ],
    outlook: ["abpwweb.txt", [fixture("abpwweb.txt"), fixture("abioweb.txt")]],
    "formation alert": ["wp9226web.txt", [fixture("wp9226web.txt"), fixture("wp9226web-cancelled.txt")]],
    "final warning": ["wtio33-of-32w.txt", [fixture("wtio33-of-32w.txt")]],
    "warning without NNNN": [
      "wp2526web.txt",
      [
        file("jtwc/wp2426web_dujuan_nr022.txt")
          .replaceAll("202100", "252100")
          .replaceAll("201800", "251200")
          .replace(/NNNN\s*$/, ""),
      ],
    ],
    "list of NHC": ["CurrentStorms.json", [file("nhc/CurrentStorms_sample_2020_Arthur.json")]],
    "list of JMA": ["targetTc.json", [file("jma/targetTc_20260831_multi.json")]],
    specifications: ["TC2614/specifications.json", [JSON.stringify(snapshot.snapshots[0]!.specifications)]],
    "drawn forecast": ["TC2614/forecast.json", [JSON.stringify(snapshot.snapshots[0]!.forecast)]],
    "archive of bulletins": ["tc_TC2614.json", [file("jma/bulletins/tc_TC2614.json")]],
    "advisory of RSMC Tokyo": ["wtpq50.txt", [file("jma/wtpq50_rjtd_2613_dolphin.txt")]],
    telegram: [
      "vptw60.xml",
      [file("jma/xml/09_01_15_100915_VPTW40.xml"), file("jma/xml/10_04_08_170918_VPTW60.xml")],
    ],
  };

  it.each(Object.entries(parsers))(
    "%s: nothing throws or hangs, and all values are possible",
    (_, [name, texts]) => {
      const random = seeded(20_261_121);
      let slowest = 0;
      let read = 0;
      for (let round = 0; round < rounds; round++) {
        const text = damaged(texts[round % texts.length]!, random);
        const begin = performance.now();
        const { reports, problems } = parseText(name, text, now);
        slowest = Math.max(slowest, performance.now() - begin);
        read += reports.length > 0 ? 1 : 0;
        for (const { reason } of problems) if (reason.length > 200) expect(reason).toHaveLength(200);
        for (const { observed, forecast } of reports) {
          for (const { time, latitude, longitude, vmaxKt, seas12ftKm } of [
            ...observed,
            ...(forecast?.points ?? []),
          ]) {
            const possible =
              Number.isFinite(time) &&
              Math.abs(latitude) <= 90 &&
              Math.abs(longitude) <= 180 &&
              (vmaxKt === null || (vmaxKt > 0 && vmaxKt <= 250)) &&
              Object.values(seas12ftKm ?? {}).every((km) => km === null || (km >= 0 && km < 4000));
            if (!possible) expect({ text, time, latitude, longitude, vmaxKt }).toBe("possible");
          }
        }
      }
      expect(slowest).toBeLessThan(HANG_MS);
      // The damage must leave enough of the texts to be parsed.
      if (name !== "targetTc.json") expect(read).toBeGreaterThan(rounds / 50);
    },
    3_600_000,
  );
});

const tokens = [
  "",
  "0",
  "-1",
  "99999999999999999999",
  "1e400",
  "NaN",
  "null",
  "-999",
  "\u0000",
  "\uFEFF",
  "𝟙",
  ",,,,",
  "NEQ",
  "<!DOCTYPE a [<!ENTITY b 'c'>]>",
  "&b;",
  "<Kind>",
  "</Kind>",
  "[",
  "{",
  '"__proto__":{"x":1},',
  "999N 9999E",
  "00000000",
  " ".repeat(300),
  "(".repeat(300),
  "A ".repeat(200),
];

/** One to four changes: a piece removed, doubled, moved, overwritten or cut off. */
function damaged(text: string, random: () => number): string {
  let result = text;
  const place = () => Math.floor(random() * (result.length + 1));
  for (let wounds = 1 + Math.floor(random() * 4); wounds > 0; wounds--) {
    const from = place();
    const to = Math.min(result.length, from + Math.floor(random() ** 3 * 200));
    const piece = result.slice(from, to);
    const token = tokens[Math.floor(random() * tokens.length)]!;
    switch (Math.floor(random() * 7)) {
      case 0:
        result = result.slice(0, from) + result.slice(to);
        break;
      case 1:
        result = result.slice(0, to) + piece + result.slice(to);
        break;
      case 2:
        result = result.slice(0, from) + token + result.slice(to);
        break;
      case 3:
        result = result.slice(0, from) + token + result.slice(from);
        break;
      case 4:
        result =
          result.slice(0, from) + String.fromCharCode(Math.floor(random() * 300)) + result.slice(from + 1);
        break;
      case 5: {
        const digit = result.slice(from).search(/\d/) + from;
        result = result.slice(0, digit) + Math.floor(random() * 10) + result.slice(digit + 1);
        break;
      }
      default:
        if (random() < 0.1) result = result.slice(0, from);
    }
  }
  return result;
}

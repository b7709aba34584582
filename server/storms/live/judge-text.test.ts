import { expect, it } from "vitest";
import { feedTexts } from "#server/demo/storms/feed.ts";
import { judgeText } from "./live-round.ts";

const NOW = Date.UTC(2026, 8, 15, 16) / 1000;
const texts = (["jtwc", "jma"] as const).flatMap((provider) => feedTexts(provider, NOW, { seed: 1 }));

it.each(texts.map(({ source, text }) => [source, text]))(
  "takes %s whole, and not when it was cut",
  (source, text) => {
    expect(judgeText(source, text, NOW).kind).toBe("good");
    for (const share of [0.3, 0.6, 0.95]) {
      // Within a row: one of a deck that ends with a whole row may be a shorter deck.
      const cut = text.slice(0, Math.floor(share * text.length)).replace(/.{0,3}\s*$/, "");
      expect(judgeText(source, cut, NOW).kind, `${share}`).toBe("bad");
    }
  },
);

it("a whole warning that is two days old is none that is damaged: the last one stays in its slot", () => {
  const text =
    "WTPN51 PGTW 250900\nWARNING    ATCG MIL 25W NWP 260925093833\n2026092506 25W SURIGAE    014  01 305 12 SATL 060\nAMP\nTHIS IS THE FINAL WARNING ON THIS\nSYSTEM.//\nNNNN\n";
  const issued = Date.UTC(2026, 8, 25, 9) / 1000;
  expect(judgeText("wp2526.tcw", text, issued).kind).toBe("good");
  expect(judgeText("wp2526.tcw", text, issued + 3 * 86_400)).toEqual({ kind: "obsolete" });
  expect(judgeText("wp2526.tcw", text, issued - 3 * 86_400).kind).toBe("bad");
});

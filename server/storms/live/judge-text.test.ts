import { expect, it } from "vitest";
import { feedTexts } from "#server/demo/storms/feed.ts";
import { judgeText } from "./judge-text.ts";

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

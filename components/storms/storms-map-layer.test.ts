import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

/** Tokens of a theme, by the text of its block. */
function tokens(block: string): Map<string, string> {
  return new Map([...block.matchAll(/(--[a-z-]+): ([^;]+);/g)].map(([, name, value]) => [name!, value!]));
}

const css = readFileSync(new URL("../../app/themes.css", import.meta.url), "utf8");
const themes = css.split("}").flatMap((block) => (block.includes("--map-danger") ? [tokens(block)] : []));

/** Red, green and blue of `#rrggbb` or `rgba(…)`, 0..255. */
function rgb(colour: string): number[] {
  if (colour.startsWith("#")) return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16));
  return colour
    .match(/[\d.]+/g)!
    .slice(0, 3)
    .map(Number);
}

/** Relative luminance, WCAG 2. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = rgb(colour).map((byte) => {
    const share = byte / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

it("hatches danger areas in an amber that stands out from its casing in every theme, whatever colours lie below", () => {
  expect(themes).toHaveLength(3);
  for (const theme of themes) {
    const amber = theme.get("--map-danger")!;
    const [one, other] = [luminance(amber), luminance(theme.get("--map-halo")!)];
    expect((Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05)).toBeGreaterThan(3);
    const [red = 0, green = 0, blue = 0] = rgb(amber);
    // Between orange and yellow: amber, not the red of storms.
    expect(red).toBeGreaterThan(green);
    expect(green).toBeGreaterThan(0.5 * red);
    expect(blue).toBeLessThan(0.2 * red);
  }
});

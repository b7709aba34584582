import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COLOURS, colourScales, drawnVariables } from "#lib/catalog/colours.ts";
import { themedTable, themes, tintOf } from "./map-colours.ts";

const blocks = readFileSync("app/themes.css", "utf8").split("[data-theme=");
const blockOf = (theme: string) =>
  theme === "light" ? blocks[0]! : blocks.find((text) => text.startsWith(`"${theme}"`))!;

/** Red, green, blue and opacity of a theme's design token. */
function token(theme: string, name: string): number[] {
  const text = new RegExp(`--(?:map-)?${name}: ([^;]+);`).exec(blockOf(theme))![1]!;
  const bytes = /^#(..)(..)(..)$/.exec(text)?.slice(1);
  return bytes ? [...bytes.map((byte) => Number.parseInt(byte, 16)), 1] : text.match(/[\d.]+/g)!.map(Number);
}

/** Relative luminance, WCAG 2. */
function luminance(rgb: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = rgb.map((byte) => {
    const share = byte / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

function contrast(one: readonly number[], other: readonly number[]): number {
  const [dark = 0, light = 0] = [one, other].map(luminance).sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe.each(themes)("in the theme %s", (theme) => {
  const [halo, inks] = [token(theme, "halo"), ["ink", "current"].map((ink) => token(theme, ink))];
  it.each(drawnVariables)("symbols with their halo have a contrast of at least 3 : 1 on %s", (name) => {
    const table = themedTable(colourScales[name], theme);
    for (let index = 0; index < COLOURS; index++) {
      const field = [...table.subarray(4 * index, 4 * index + 3)];
      const around = field.map((byte, channel) => halo[channel]! * halo[3]! + byte * (1 - halo[3]!));
      const least = inks.map((ink) => Math.max(contrast(ink, field), contrast(ink, around)));
      expect(Math.min(...least)).toBeGreaterThanOrEqual(3);
    }
  });

  it.each(drawnVariables)("numbers on the colours of %s have a contrast of at least 4.5 : 1", (name) => {
    const [low, high] = colourScales[name].range;
    const bytes = (colour: string) => colour.match(/[\d.]+/g)!.map(Number);
    let filled = 0;
    for (let index = 0; index < COLOURS; index++) {
      const tint = tintOf(name, low + ((high - low) * index) / (COLOURS - 1), theme);
      if (!tint) continue;
      filled++;
      const [box, ink] = [bytes(tint.backgroundColor), bytes(tint.color)];
      expect(box).toHaveLength(3);
      expect(contrast(box, ink), `entry ${index}`).toBeGreaterThanOrEqual(4.5);
      if (theme === "night") expect(ink[1]! / ink[0]!).toBeLessThanOrEqual(0.72);
    }
    expect(filled).toBeGreaterThan(COLOURS / 2);
  });
});

it.each(
  themes.flatMap((theme) =>
    (
      [
        ["name", "land"],
        ["sea-name", "sea"],
        ["sea-name", "abyss"],
      ] as const
    ).map((pair) => [theme, ...pair] as const),
  ),
)("in the theme %s the colour of a %s has a contrast of at least 4.5 : 1 on %s", (theme, name, ground) => {
  expect(contrast(token(theme, name), token(theme, ground))).toBeGreaterThanOrEqual(4.5);
});

it.each(themes)("in the theme %s examples in fields and the bar of a warning can be seen", (theme) => {
  expect(contrast(token(theme, "muted"), token(theme, "page"))).toBeGreaterThanOrEqual(4.5);
  expect(contrast(token(theme, "alarm-bar"), token(theme, "surface"))).toBeGreaterThanOrEqual(3);
});

it("at night the sun of a forecast is not brighter than the text", () => {
  expect(luminance(token("night", "sun"))).toBeLessThanOrEqual(luminance(token("night", "text")));
});

it("at night every colour is red, with little green and hardly any blue", () => {
  const colours = [...blockOf("night").matchAll(/(--[\w-]+): #(\w{2})(\w{2})(\w{2});/g)];
  expect(colours.length).toBeGreaterThan(30);
  for (const [, name, ...bytes] of colours) {
    const [red = 0, green = 0, blue = 0] = bytes.map((byte) => Number.parseInt(byte, 16));
    expect.soft(green / Math.max(red, 1), name).toBeLessThanOrEqual(0.72);
    expect.soft(blue / Math.max(red, 1), name).toBeLessThanOrEqual(0.38);
  }
});

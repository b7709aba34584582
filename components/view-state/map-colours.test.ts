import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { COLOURS, colourScales, drawnVariables } from "#lib/catalog/colours.ts";
import { themedTable, themes } from "./map-colours.ts";

const blocks = readFileSync("app/themes.css", "utf8").split("[data-theme=");

type Rgb = readonly [red: number, green: number, blue: number];

/** A token of a theme: its bytes and opacity. */
function token(theme: (typeof themes)[number], name: string): { rgb: Rgb; opacity: number } {
  const block = theme === "light" ? blocks[0]! : blocks.find((text) => text.startsWith(`"${theme}"`))!;
  const text = new RegExp(`--map-${name}: ([^;]+);`).exec(block)![1]!;
  if (text.startsWith("#")) {
    const number = Number.parseInt(text.slice(1), 16);
    return { rgb: [number >> 16, (number >> 8) & 255, number & 255], opacity: 1 };
  }
  const [red = 0, green = 0, blue = 0, opacity = 1] = text.match(/[\d.]+/g)!.map(Number);
  return { rgb: [red, green, blue], opacity };
}

/** Contrast of two colours, WCAG 2. */
function contrast(one: Rgb, other: Rgb): number {
  const [dark = 0, light = 0] = [one, other]
    .map((rgb) => {
      const [red, green, blue] = rgb.map((byte) => {
        const share = byte / 255;
        return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
      });
      return 0.2126 * red! + 0.7152 * green! + 0.0722 * blue!;
    })
    .sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}

describe.each(themes)("in the theme %s", (theme) => {
  const halo = token(theme, "halo");
  it.each(drawnVariables)("symbols with their halo have a contrast of at least 3 : 1 on %s", (name) => {
    const table = themedTable(colourScales[name], theme);
    const inks = ["ink", "current"].map((ink) => token(theme, ink).rgb);
    for (let index = 0; index < COLOURS; index++) {
      const field = [...table.subarray(4 * index, 4 * index + 3)] as unknown as Rgb;
      const around = halo.rgb.map(
        (byte, channel) => byte * halo.opacity + field[channel]! * (1 - halo.opacity),
      ) as unknown as Rgb;
      for (const ink of inks)
        expect(Math.max(contrast(ink, field), contrast(ink, around))).toBeGreaterThanOrEqual(3);
    }
  });
});

it("at night every colour is red, with little green and hardly any blue", () => {
  const block = blocks.find((text) => text.startsWith('"night"'))!;
  const colours = [...block.matchAll(/(--[\w-]+): #(\w{2})(\w{2})(\w{2});/g)];
  expect(colours.length).toBeGreaterThan(30);
  for (const [, name, ...bytes] of colours) {
    const [red = 0, green = 0, blue = 0] = bytes.map((byte) => Number.parseInt(byte, 16));
    expect.soft(green / Math.max(red, 1), name).toBeLessThanOrEqual(0.72);
    expect.soft(blue / Math.max(red, 1), name).toBeLessThanOrEqual(0.38);
  }
});

import {
  type ColourScale,
  colourIndex,
  colourScales,
  colourTable,
  cssColour,
  type DrawnVariable,
} from "#lib/catalog/colours.ts";
import { contrast, type Rgb } from "#lib/catalog/contrast.ts";
import { duskTable, greyTable, nightTable } from "#lib/catalog/night.ts";

const tokens = [
  "land",
  "coast",
  "border",
  "missing",
  "sea",
  "abyss",
  "graticule",
  "name",
  "sea-name",
  "ink",
  "halo",
  "current",
  "high",
  "low",
  "particle",
  "particle-slow",
  "particle-edge",
  "storm",
  "danger",
  "likely-low",
  "likely-medium",
  "likely-high",
  "sample",
  "better",
  "sample-fill",
  "share-0",
  "share-1",
  "share-2",
  "share-3",
  "share-4",
] as const;

export type MapColours = Record<(typeof tokens)[number], string>;

/** The map's CSS colours in the theme of an element: the tokens `--map-…` of app/themes.css. */
export function mapColours(element: Element): MapColours {
  const style = getComputedStyle(element);
  const colours = tokens.map((token) => [token, style.getPropertyValue(`--map-${token}`).trim()]);
  return Object.fromEntries(colours);
}

/** Red, green, blue, opacity, 0..1. */
export type Rgba = readonly [number, number, number, number];

/** Channels of a CSS colour. */
export function rgbaOf(colour: string): Rgba {
  const context = new OffscreenCanvas(1, 1).getContext("2d", { willReadFrequently: true });
  if (!context) return [1, 1, 1, 0.9];
  context.fillStyle = colour;
  context.fillRect(0, 0, 1, 1);
  const [red = 0, green = 0, blue = 0, alpha = 0] = context.getImageData(0, 0, 1, 1).data;
  return [red / 255, green / 255, blue / 255, alpha / 255];
}

export const themes = ["light", "dusk", "night"] as const;

/** A colour theme; `app/themes.css` defines its tokens. */
export type Theme = (typeof themes)[number];

/** Cookie with the chosen theme, so that the server renders in it; a white flash would blind at night. */
export const THEME_COOKIE = "theme";

/** The theme named by a cookie or a link; undefined for any other text. */
export function parseTheme(text: string | null | undefined): Theme | undefined {
  return themes.find((theme) => theme === text);
}

/** Colour table of a field in a theme. @param old The field has another time than requested. */
export function themedTable(
  scale: Omit<ColourScale, "bands">,
  theme: Theme,
  old = false,
): Uint8Array<ArrayBuffer> {
  const { ramp, duskRamp = ramp } = scale;
  const table = colourTable(theme === "dusk" ? { ...scale, ramp: duskRamp } : scale);
  // Grey contains blue, which dark-adapted eyes must not see, so an old field is dimmed at night.
  if (theme === "night") {
    const red = nightTable(table, scale.lightByNight);
    return old ? duskTable(red) : red;
  }
  const shown = old ? greyTable(table) : table;
  return theme === "dusk" ? duskTable(shown) : shown;
}

/** The colour that the map has for a value, CSS. @param value In the unit of the API. */
export function mapColour(name: DrawnVariable, value: number, theme: Theme): string {
  const scale = colourScales[name];
  return cssColour(themedTable(scale, theme), colourIndex(value, scale.range));
}

/** Number of colours in the area below a line. */
const STOPS = 8;

/**
 * The colours that the map has for the values of a chart from its bottom (0) to its top (1).
 *
 * @param valueAt Value at such a height, in the unit of the API.
 */
export function coloursUpwards(
  name: DrawnVariable,
  valueAt: (height: number) => number,
  theme: Theme,
): { offset: number; colour: string }[] {
  const scale = colourScales[name];
  const table = themedTable(scale, theme);
  return Array.from({ length: STOPS + 1 }, (_, index) => {
    const offset = index / STOPS;
    return { offset, colour: cssColour(table, colourIndex(valueAt(offset), scale.range)) };
  });
}

/** Colours of a box that contains a number, CSS. */
export interface Tint {
  backgroundColor: string;
  color: string;
}

/** Least contrast of a number on its colour (WCAG 2, AA). */
const LEGIBLE = 4.5;

/**
 * Colours of numbers on a colour of the map, the preferred one first. Black or white is legible on any colour; at night
 * white would blind, so the colours below the numbers are dimmed.
 */
const inks: Readonly<Record<Theme, readonly Rgb[]>> = {
  light: [
    [23, 34, 45],
    [255, 255, 255],
    [0, 0, 0],
  ],
  dusk: [
    [255, 255, 255],
    [0, 0, 0],
  ],
  night: [
    [240, 74, 34],
    [255, 154, 92],
  ],
};

/** Factor on the bytes of a colour below a number at night. */
const NIGHT_BOX = 0.7;

const tints = new Map<string, (Tint | undefined)[]>();

/**
 * The colour that the map has for a value, and a legible colour for the number on it; undefined where the map shows the
 * value hardly or not at all.
 *
 * @param value In the unit of the API.
 */
export function tintOf(name: DrawnVariable, value: number, theme: Theme): Tint | undefined {
  const key = `${theme} ${name}`;
  const table = tints.get(key) ?? tintsOf(name, theme);
  tints.set(key, table);
  return table[colourIndex(value, colourScales[name].range)];
}

function tintsOf(name: DrawnVariable, theme: Theme): (Tint | undefined)[] {
  const table = themedTable(colourScales[name], theme).map((byte, at) =>
    theme === "night" && at % 4 !== 3 ? Math.round(NIGHT_BOX * byte) : byte,
  );
  return Array.from({ length: table.length / 4 }, (_, index) => {
    const [red = 0, green = 0, blue = 0, opacity] = table.subarray(4 * index, 4 * index + 4);
    if (opacity !== 255) return undefined;
    const contrasts = inks[theme].map((ink) => contrast(ink, [red, green, blue]));
    const best = contrasts.findIndex((ratio) => ratio >= LEGIBLE);
    const ink = inks[theme][best < 0 ? contrasts.indexOf(Math.max(...contrasts)) : best]!;
    return { backgroundColor: cssColour(table, index), color: `rgb(${ink.join(" ")})` };
  });
}

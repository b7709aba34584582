/** Red of the lowest and the highest value: what is strong is bright, and nothing is brighter than the page's text. */
const [DIMMEST, BRIGHTEST] = [26, 190];

/** Amber in the brightest colours only. */
const MAX_GREEN = 34;

/**
 * A colour table for eyes that are used to the dark: one hue, red, from nearly black at the lowest value on. The steps
 * follow the lightness of the table by day, so that the order of its values stays, whichever end of it is the light one.
 *
 * @param table RGBA bytes, lowest value first.
 * @param lightStays What is light by day is bright; else the highest value is, be it light or dark by day.
 * @returns RGBA bytes of the same length; alpha is kept.
 */
export function nightTable(table: Uint8Array, lightStays = false): Uint8Array<ArrayBuffer> {
  const entries = table.length / 4;
  const light = Array.from({ length: entries }, (_, index) => lightness(table, index));
  const [first = 0, last = 0] = [light[0], light.at(-1)];
  const [least, most] = [Math.min(...light), Math.max(...light)];
  const night = new Uint8Array(table.length);
  for (let index = 0; index < entries; index++) {
    const share = ((light[index] ?? 0) - least) / Math.max(1e-9, most - least);
    const strong = first > last && !lightStays ? 1 - share : share;
    night.set(
      [
        Math.round(DIMMEST + (BRIGHTEST - DIMMEST) * strong),
        Math.round(MAX_GREEN * strong ** 2),
        0,
        table[4 * index + 3] ?? 255,
      ],
      4 * index,
    );
  }
  return night;
}

/** Share of a colour's sRGB bytes that is left at dusk: white symbols stand out from the palest field by 3 : 1. */
const DUSK = 0.55;

/**
 * A colour table for a darkened bridge: the colours of the day, as if behind grey glass.
 *
 * @param table RGBA bytes.
 * @returns RGBA bytes of the same length; alpha is kept.
 */
export function duskTable(table: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(table, (byte, index) => (index % 4 === 3 ? byte : Math.round(byte * DUSK)));
}

/** Lightness L* of CIELAB, 0..100. */
function lightness(table: Uint8Array, index: number): number {
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((channel) => linear(table[4 * index + channel] ?? 0));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return luminance > 216 / 24389 ? 116 * Math.cbrt(luminance) - 16 : (luminance * 24389) / 27;
}

/** sRGB byte to linear light. */
function linear(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

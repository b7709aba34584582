import { luminance } from "./contrast.ts";

/** Red component of the lowest and the highest value. Nothing is brighter than the page's text. */
const [DIMMEST, BRIGHTEST] = [26, 190];

/** Largest green component; it turns only the brightest colours amber. */
const MAX_GREEN = 34;

/**
 * A colour table for dark-adapted eyes: shades of red, nearly black at the lowest value, brighter with each entry.
 * Steps are as large as those of the day table, so that values differ at night where they differ by day.
 *
 * @param table RGBA bytes, lowest value first.
 * @param lightStays Whether colours that are light by day are bright at night; by default the highest value
 * is the brightest.
 * @returns RGBA bytes of the same length; alpha is unchanged.
 */
export function nightTable(table: Uint8Array, lightStays = false): Uint8Array<ArrayBuffer> {
  const entries = table.length / 4;
  const light = Array.from({ length: entries }, (_, index) => lightness(table, index));
  let way = 0;
  const ways = light.map((one, index) => {
    way += Math.abs(one - (light[index - 1] ?? one));
    return way;
  });
  const turned = lightStays && light[0]! > light.at(-1)!;
  const night = new Uint8Array(table.length);
  ways.forEach((gone, index) => {
    const share = gone / Math.max(1e-9, way);
    const strong = turned ? 1 - share : share;
    night.set(
      [
        Math.round(DIMMEST + (BRIGHTEST - DIMMEST) * strong),
        Math.round(MAX_GREEN * strong ** 2),
        0,
        table[4 * index + 3] ?? 255,
      ],
      4 * index,
    );
  });
  return night;
}

/**
 * Exponent and factor on sRGB shares at dusk. The exponent darkens the weaker channels of a colour more, so that it
 * stays a colour. White symbols keep a contrast of at least 3 : 1 on the palest field.
 */
const [DUSK_POWER, DUSK] = [1.35, 0.6];

/**
 * A colour table for a darkened bridge: the day colours, darker and deeper.
 *
 * @param table RGBA bytes.
 * @returns RGBA bytes of the same length; alpha is unchanged.
 */
export function duskTable(table: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(table, (byte, index) =>
    index % 4 === 3 ? byte : Math.round(255 * DUSK * (byte / 255) ** DUSK_POWER),
  );
}

/**
 * Share of its colour that a greyed field retains: enough to read values, too little to mistake the field for
 * a current one.
 */
const REMAINING_COLOUR = 0.12;

/**
 * A colour table in grey, for a field that is older than the time shown. Each colour becomes the grey of its
 * luma (ITU-R BT.709) with a small share of the original colour.
 *
 * @param table RGBA bytes.
 * @returns RGBA bytes of the same length; alpha is unchanged.
 */
export function greyTable(table: Uint8Array): Uint8Array<ArrayBuffer> {
  const luma = (index: number) => {
    const [red = 0, green = 0, blue = 0] = table.subarray(4 * index, 4 * index + 3);
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  };
  return Uint8Array.from(table, (byte, at) => {
    const grey = luma(Math.floor(at / 4));
    return at % 4 === 3 ? byte : Math.round(grey + REMAINING_COLOUR * (byte - grey));
  });
}

/** Lightness L* of CIELAB, 0..100. */
function lightness(table: Uint8Array, index: number): number {
  const [red = 0, green = 0, blue = 0] = table.subarray(4 * index, 4 * index + 3);
  const light = luminance([red, green, blue]);
  return light > 216 / 24389 ? 116 * Math.cbrt(light) - 16 : (light * 24389) / 27;
}

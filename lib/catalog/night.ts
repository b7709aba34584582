/** Red component of the lowest and the highest value. Nothing is brighter than the page's text. */
const [DIMMEST, BRIGHTEST] = [26, 190];

/** Largest green component; it turns only the brightest colours amber. */
const MAX_GREEN = 34;

/**
 * A colour table for dark-adapted eyes: shades of red, nearly black at the lowest value. Steps follow the
 * lightness of the day table, so the order of values is preserved.
 *
 * @param table RGBA bytes, lowest value first.
 * @param lightStays Whether colours that are light by day are bright at night; by default the highest value
 * is the brightest.
 * @returns RGBA bytes of the same length; alpha is unchanged.
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

/**
 * Factor on sRGB bytes at dusk. With it white symbols keep a contrast of at least 3 : 1 on the palest field.
 */
const DUSK = 0.55;

/**
 * A colour table for a darkened bridge: the day colours, darkened evenly.
 *
 * @param table RGBA bytes.
 * @returns RGBA bytes of the same length; alpha is unchanged.
 */
export function duskTable(table: Uint8Array): Uint8Array<ArrayBuffer> {
  return Uint8Array.from(table, (byte, index) => (index % 4 === 3 ? byte : Math.round(byte * DUSK)));
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
  const [red = 0, green = 0, blue = 0] = [0, 1, 2].map((channel) => linear(table[4 * index + channel] ?? 0));
  const luminance = 0.2126 * red + 0.7152 * green + 0.0722 * blue;
  return luminance > 216 / 24389 ? 116 * Math.cbrt(luminance) - 16 : (luminance * 24389) / 27;
}

/** sRGB byte to linear light. */
function linear(byte: number): number {
  const value = byte / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
}

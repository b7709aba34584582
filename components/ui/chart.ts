import type { Language } from "#lib/messages/language.ts";
import { formatUngrouped } from "#lib/messages/number.ts";

/** A value at a time; NaN if it is missing. */
export interface Sample {
  /** Unix seconds. */
  time: number;
  value: number;
}

/** Width of the column for axis numbers to the right of the plot, pixels; no curve passes through it. */
export const GUTTER = 28;

/** Maps times and values to positions on a chart. */
export interface Frame {
  x(time: number): number;
  y(value: number): number;
}

/**
 * A frame with a width and height in pixels.
 *
 * @param times First and last time.
 * @param values Lowest and highest value of the chart.
 */
export function chartFrame(
  [first, last]: readonly [number, number],
  [low, high]: readonly [number, number],
  width: number,
  height: number,
): Frame {
  return {
    x: (time) => ((time - first) / Math.max(1, last - first)) * width,
    y: (value) => height - ((value - low) / Math.max(1e-9, high - low)) * height,
  };
}

/**
 * SVG path through samples, interrupted at missing values; a value between two gaps becomes a dot (with round
 * line caps).
 */
export function linePath(samples: readonly Sample[], frame: Frame): string {
  const isMissing = (index: number) => Number.isNaN(samples[index]?.value ?? Number.NaN);
  return samples
    .map(({ time, value }, index) => {
      if (Number.isNaN(value)) return "";
      const pen = isMissing(index - 1) ? "M" : "L";
      const dot = pen === "M" && isMissing(index + 1) ? "h0" : "";
      return `${pen}${frame.x(time).toFixed(1)} ${frame.y(value).toFixed(1)}${dot}`;
    })
    .join("");
}

/**
 * SVG path of the areas between samples and the bottom of a chart, interrupted as in `linePath`. @param
 * bottom Pixels.
 */
export function areaPath(samples: readonly Sample[], frame: Frame, bottom: number): string {
  const parts: Sample[][] = [];
  for (const [index, sample] of samples.entries()) {
    if (Number.isNaN(sample.value)) continue;
    if (index === 0 || Number.isNaN(samples[index - 1]!.value)) parts.push([]);
    parts.at(-1)!.push(sample);
  }
  return parts
    .filter(({ length }) => length > 1)
    .map((part) => {
      const [from, to] = [part[0]!, part.at(-1)!].map(({ time }) => frame.x(time).toFixed(1));
      return `${linePath(part, frame)}L${to} ${bottom}L${from} ${bottom}Z`;
    })
    .join("");
}

/** Height of a line of small text, and mean width of its letters, pixels. */
const [NAME_HEIGHT, LETTER] = [11, 7];

/** Space between the end of a line and its name, pixels. */
const NAME_GAP = 3;

/** Width of a name of a line with the space before it, pixels. */
export const nameWidth = (text: string): number => NAME_GAP + text.length * LETTER;

/**
 * Baselines and left ends of names beside the ends of lines, moved up or down so that no two overlap.
 *
 * @param names Ends of the lines, most important first.
 * @param room Plot in which the names lie; a name without room is left out.
 */
export function placeNames<Name extends { x: number; y: number; text: string }>(
  names: readonly Name[],
  { width, top, bottom }: { width: number; top: number; bottom: number },
): Name[] {
  const placed: { left: number; right: number; y: number }[] = [];
  return names.flatMap((name) => {
    const left = Math.max(0, Math.min(width - nameWidth(name.text), name.x));
    const right = left + nameWidth(name.text);
    const [first, last] = [Math.ceil(top + NAME_HEIGHT - 2), Math.floor(bottom - 2)];
    const isFree = (y: number) =>
      placed.every((one) => one.right < left || one.left > right || Math.abs(one.y - y) >= NAME_HEIGHT);
    const wanted = Math.min(last, Math.max(first, Math.round(name.y + 3)));
    for (let by = 0; by <= last - first; by++) {
      const y = [wanted - by, wanted + by].find((at) => at >= first && at <= last && isFree(at));
      if (y === undefined) continue;
      placed.push({ left, right, y });
      return [{ ...name, x: left + NAME_GAP, y }];
    }
    return [];
  });
}

/** Width of a text, roughly, in its font size; Chinese and Japanese characters are as wide as they are high. */
export function roughWidth(text: string): number {
  return [...text].reduce((sum, character) => sum + (character >= "\u2e80" ? 1 : 0.5), 0);
}

/** Width of the small text of a chart, whose font size is 10 pixels, roughly, pixels. */
const smallTextWidth = (text: string) => 10 * roughWidth(text);

/** Size of a title in that of small text, and least distance between the two, pixels. */
const [TITLE_SIZE, TITLE_GAP] = [1.1, 8];

/** Right end of the name of a line beside the title of its row; undefined if it has no room there. */
export function endBesideTitle(title: string, name: string, width: number): number | undefined {
  const end = Math.max(width, TITLE_SIZE * smallTextWidth(title) + TITLE_GAP + smallTextWidth(name));
  return end <= width + GUTTER ? end : undefined;
}

/** Distance between a text and a line that is enough, pixels. */
const CLEAR = 8;

/**
 * Left end and baseline of the name of a horizontal line, above or below it where the curves of the row are far enough
 * away, or else farthest: its outline would erase them.
 *
 * @param y Position of the horizontal line.
 * @param curves Points of each curve, from left to right.
 */
export function placeLineName(
  text: string,
  y: number,
  curves: readonly (readonly { x: number; y: number }[])[],
  { width, top, bottom }: { width: number; top: number; bottom: number },
): { x: number; y: number } {
  const room = smallTextWidth(text);
  // Above the plot it would overlap the title of the row.
  const baselines = [y - 3, y + NAME_HEIGHT - 1].filter((at) => at - 7 >= top && at < bottom);
  let best = { x: 2, y: baselines[0] ?? y - 3, clear: -1 };
  for (let x = 2; x === 2 || x + room <= width - 2; x += 4)
    for (const baseline of baselines) {
      const [upper, lower] = [baseline - NAME_HEIGHT + 2, baseline + 3];
      const spans = curves.flatMap((curve) => spanWithin(curve, x, x + room) ?? []);
      const clear = Math.min(
        CLEAR,
        ...spans.map((span) => Math.max(0, span.upper - lower, upper - span.lower)),
      );
      if (clear > best.clear) best = { x, y: baseline, clear };
    }
  return { x: best.x, y: best.y };
}

/** y of the upper and lower end of a curve between two positions; undefined if it is elsewhere. */
function spanWithin(
  curve: readonly { x: number; y: number }[],
  left: number,
  right: number,
): { upper: number; lower: number } | undefined {
  const heights = curve.flatMap((from, index) => {
    const to = curve[index + 1] ?? from;
    if (to.x < left || from.x > right) return [];
    const at = (x: number) => from.y + ((x - from.x) / Math.max(1e-9, to.x - from.x)) * (to.y - from.y);
    return [at(Math.max(left, from.x)), at(Math.min(right, to.x))];
  });
  return heights.length > 0 ? { upper: Math.min(...heights), lower: Math.max(...heights) } : undefined;
}

/** SVG path of the areas between two lines with the same times, interrupted where either has no value. */
export function bandPath(lower: readonly Sample[], upper: readonly Sample[], frame: Frame): string {
  const isKnown = (index: number) => !Number.isNaN(lower[index]!.value + upper[index]!.value);
  const paths: string[] = [];
  for (let from = 0; from < lower.length; ) {
    let to = from;
    while (to < lower.length && isKnown(to)) to++;
    if (to - from > 1) {
      const back = lower.slice(from, to).reverse();
      paths.push(`${linePath(upper.slice(from, to), frame)}${linePath(back, frame).replace("M", "L")}Z`);
    }
    from = Math.max(to, from + 1);
  }
  return paths.join("");
}

/** Index of the sample nearest to a time; −1 if there is none. */
export function nearestSample(times: readonly number[], time: number): number {
  let nearest = -1;
  times.forEach((at, index) => {
    if (nearest < 0 || Math.abs(at - time) < Math.abs(times[nearest]! - time)) nearest = index;
  });
  return nearest;
}

/** Possible intervals between symbols of a chart, hours; they divide a day or are whole days. */
const SYMBOL_HOURS = [1, 3, 6, 12, 24, 48];

/**
 * Times of symbols in a row, at whole hours of a clock or the first sample after them, as close as their
 * width allows.
 *
 * @param width Width of the chart, pixels.
 * @param room Least distance between two symbols, pixels.
 * @param offset Offset of the clock, seconds ahead of UTC.
 */
export function symbolTimes(
  times: readonly number[],
  width: number,
  room: number,
  offset: (time: number) => number,
): number[] {
  const span = (times.at(-1) ?? 0) - (times[0] ?? 0);
  if (span <= 0) return [];
  const hours =
    SYMBOL_HOURS.find((every) => (every * 3600 * width) / span >= room) ?? SYMBOL_HOURS.at(-1) ?? 48;
  // The offset of a zone may include half an hour, while samples are at whole hours.
  const hourOf = (time: number) => Math.round((time + offset(time)) / 3600);
  // Samples some hours apart may miss the whole hours of the clock, so the first sample after each hour is
  // used.
  return times.filter((time, index) => {
    const before = times[index - 1];
    if (before === undefined) return hourOf(time) % hours === 0;
    return Math.floor(hourOf(time) / hours) !== Math.floor(hourOf(before) / hours);
  });
}

/** The next round number above a value, for the top of an axis. */
export function roundTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-3)));
  return (
    ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= value * (1 - 1e-9)) ?? 10) * power
  );
}

/** A value of a scale with as many decimals as it needs, at most two: `200`, `7.5`, `0.25`. */
export function scaleText(value: number, language: Language): string {
  const decimals = [0, 1, 2].find((digits) => Number(value.toFixed(digits)) === Number(value.toFixed(2)));
  return formatUngrouped(value, decimals ?? 2, language);
}

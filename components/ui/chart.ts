import type { Language } from "#lib/messages/language.ts";
import { formatUngrouped } from "#lib/messages/number.ts";

/** A value at a time; NaN where it is missing. */
export interface Sample {
  /** Unix seconds. */
  time: number;
  value: number;
}

/** Room for the numbers of the axes, to the right of the plot, pixels: no curve passes through them. */
export const GUTTER = 28;

/** Maps times and values to positions on a chart. */
export interface Frame {
  x(time: number): number;
  y(value: number): number;
}

/**
 * A frame of a width and height, pixels.
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

/** SVG path through samples, interrupted at missing values; a value between two gaps is a dot (with round ends of lines). */
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

/** SVG path of the areas between samples and the bottom of a chart, interrupted as `linePath`. @param bottom Pixels. */
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

/** Index of the sample nearest to a time; −1 for none. */
export function nearestSample(times: readonly number[], time: number): number {
  let nearest = -1;
  times.forEach((at, index) => {
    if (nearest < 0 || Math.abs(at - time) < Math.abs(times[nearest]! - time)) nearest = index;
  });
  return nearest;
}

/** Hours that divide a day, between symbols of a chart. */
const SYMBOL_HOURS = [1, 3, 6, 12, 24, 48];

/**
 * Times of symbols in a row, at whole hours of a clock or the first sample after them, as close as their width allows.
 *
 * @param width Of the chart, pixels.
 * @param room Least distance between two symbols, pixels.
 * @param offset Of the clock, seconds ahead of UTC.
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
  // The offset of a zone may have a half hour, the samples are at whole ones.
  const hourOf = (time: number) => Math.round((time + offset(time)) / 3600);
  // Samples some hours apart may be at none of the hours of the clock: the first one after it stands for each.
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

/** A value of a scale with the decimals that it needs, two at most: `200`, `7.5`, `0.25`. */
export function scaleText(value: number, language: Language): string {
  const decimals = [0, 1, 2].find((digits) => Number(value.toFixed(digits)) === Number(value.toFixed(2)));
  return formatUngrouped(value, decimals ?? 2, language);
}

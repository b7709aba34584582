/** A value at a time; NaN where it is missing. */
export interface Sample {
  /** Unix seconds. */
  time: number;
  value: number;
}

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

/** SVG path through samples, interrupted at missing values. */
export function linePath(samples: readonly Sample[], frame: Frame): string {
  let pen = "M";
  return samples
    .map(({ time, value }) => {
      if (Number.isNaN(value)) {
        pen = "M";
        return "";
      }
      const piece = `${pen}${frame.x(time).toFixed(1)} ${frame.y(value).toFixed(1)}`;
      pen = "L";
      return piece;
    })
    .join("");
}

/** The next round number above a value, for the top of an axis. */
export function roundTop(value: number): number {
  const power = 10 ** Math.floor(Math.log10(Math.max(value, 1e-3)));
  return ([1, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= value * (1 - 1e-9)) ?? 10) * power;
}

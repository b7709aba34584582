import { type Choice, type Conversion, choice, type FieldRule, rule, type Selector } from "./source.ts";

/** value · factor + offset. */
export function scaled(factor = 1, offset = 0): Conversion {
  return ([values]) => {
    const out = values!;
    if (factor === 1 && offset === 0) return out;
    for (let i = 0; i < out.length; i++) out[i] = out[i]! * factor + offset;
    return out;
  };
}

/** The values as they are. */
export const unchanged = scaled();

/** The values, those above a limit reduced to it: differences of rounded averages may exceed what is possible. */
export function atMost(limit: number): Conversion {
  return ([values]) => {
    const out = values!;
    for (let i = 0; i < out.length; i++) if (out[i]! > limit) out[i] = limit;
    return out;
  };
}

/** The sum of the inputs; missing if one is missing. */
export const sum: Conversion = (inputs) => {
  const out = inputs[0]!;
  for (const other of inputs.slice(1)) {
    for (let i = 0; i < out.length; i++) out[i] = out[i]! + other[i]!;
  }
  return out;
};

/** Eastward (sine) part of the unit vector along a bearing in degrees. */
export const bearingX: Conversion = ([degrees]) => {
  const out = degrees!;
  for (let i = 0; i < out.length; i++) out[i] = Math.sin((out[i]! * Math.PI) / 180);
  return out;
};

/** Northward (cosine) part of the unit vector along a bearing in degrees. */
export const bearingY: Conversion = ([degrees]) => {
  const out = degrees!;
  for (let i = 0; i < out.length; i++) out[i] = Math.cos((out[i]! * Math.PI) / 180);
  return out;
};

/** Depth below the sea surface, positive down, from height above it; missing on land. */
export const depthBelow: Conversion = ([heights]) => {
  const out = heights!;
  for (let i = 0; i < out.length; i++) out[i] = out[i]! < 0 ? -out[i]! : Number.NaN;
  return out;
};

/**
 * Combined significant height of several partitions: their energies (heights squared) add up. A partition missing at a
 * cell has no energy there; if all are missing, the result is missing.
 *
 * @param heights One array per partition, m.
 */
export const combinedHeight: Conversion = (heights) => {
  const out = new Float32Array(heights[0]!.length);
  for (let i = 0; i < out.length; i++) {
    let energy = Number.NaN;
    for (const height of heights) {
      const value = height[i]!;
      if (!Number.isNaN(value)) energy = (Number.isNaN(energy) ? 0 : energy) + value * value;
    }
    out[i] = Math.sqrt(energy);
  }
  return out;
};

/** Mean of the partitions' periods, weighted by energy. Inputs: height and period, for each partition. */
export const combinedPeriod: Conversion = (inputs) => {
  const out = new Float32Array(inputs[0]!.length);
  for (let i = 0; i < out.length; i++) {
    let weighted = 0;
    let energy = 0;
    for (let partition = 0; partition < inputs.length; partition += 2) {
      const height = inputs[partition]![i]!;
      const period = inputs[partition + 1]![i]!;
      // A partition without height or period adds nothing; NaN compares false.
      if (height > 0 && !Number.isNaN(period)) {
        energy += height * height;
        weighted += height * height * period;
      }
    }
    out[i] = energy > 0 ? weighted / energy : Number.NaN;
  }
  return out;
};

/**
 * Mean direction of the partitions as a unit vector: their directions weighted by energy.
 * Inputs: height and direction (degrees) for each partition.
 *
 * @param part "x" for the eastward (sine), "y" for the northward (cosine) part.
 */
export function combinedDirection(part: "x" | "y"): Conversion {
  return (inputs) => {
    const out = new Float32Array(inputs[0]!.length);
    for (let i = 0; i < out.length; i++) {
      let x = 0;
      let y = 0;
      for (let partition = 0; partition < inputs.length; partition += 2) {
        const height = inputs[partition]![i]!;
        const radians = (inputs[partition + 1]![i]! * Math.PI) / 180;
        if (height > 0 && !Number.isNaN(radians)) {
          x += height * height * Math.sin(radians);
          y += height * height * Math.cos(radians);
        }
      }
      const length = Math.hypot(x, y);
      out[i] = length > 0 ? (part === "x" ? x : y) / length : Number.NaN;
    }
    return out;
  };
}

/** The stored fields of a wave system, each with its choices. @param direction Of the components of the direction. */
export function waveRules(
  system: "sea_surface_wave" | "sea_surface_swell_wave" | "sea_surface_wind_wave",
  height: readonly Choice[],
  period: readonly Choice[],
  direction: (part: "x" | "y") => readonly Choice[],
): FieldRule[] {
  return [
    rule(`${system}_significant_height`, ...height),
    rule(`${system}_mean_period`, ...period),
    rule(`${system}_from_direction_x`, ...direction("x")),
    rule(`${system}_from_direction_y`, ...direction("y")),
  ];
}

/** The direction of waves as a file has it, in degrees FROM. */
export function bearing(selector: Selector, comment?: string): (part: "x" | "y") => Choice[] {
  const directions = selector.kind === "grib2" ? { ...selector, isDirection: true } : selector;
  return (part) => [choice([directions], part === "x" ? bearingX : bearingY, comment)];
}

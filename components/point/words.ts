import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import type { NullReason, PointMeta } from "#lib/contract/point.ts";
import { compassPoint, formatSpeed, type SpeedUnit, speedText, toKnots } from "#lib/units.ts";

const reasons: Record<NullReason, string> = {
  land: "on land",
  ice: "under ice",
  out_of_archive: "not in archive",
  out_of_domain: "outside the area",
  missing: "no value",
};

/** `— not available (on land)`. @param reason Why the value is null, where the service says so. */
export function absentText(reason: NullReason | undefined): string {
  return reason ? `— not available (${reasons[reason]})` : "— not available";
}

/** Why a variable has no value at the only point of an answer. */
export function nullReason(meta: PointMeta | undefined, name: VariableName): NullReason | undefined {
  return meta?.nulls.find((entry) => entry.variable === name && entry.points.includes(0))?.reason;
}

/** A value with its unit, speeds of the air in the unit chosen. */
export function valueText(value: number, output: Output, name: VariableName, unit: SpeedUnit): string {
  if (output.unit === "°") return `${Math.round(value) % 360}° (${compassPoint(value)})`;
  if (output.unit !== "m/s") return `${value.toFixed(output.decimals)} ${output.unit}`;
  // Beaufort is a scale of wind; a current is told in knots then.
  if (name === "current") return speedIn(value, unit === "m/s" ? "m/s" : "kn");
  return speedText(value, unit);
}

/** A current is slow: tenths of a knot, hundredths of a metre. */
function speedIn(metresPerSecond: number, unit: "kn" | "m/s"): string {
  return unit === "kn" ? `${toKnots(metresPerSecond).toFixed(1)} kn` : `${metresPerSecond.toFixed(2)} m/s`;
}

/** One sentence for people who hear the page: the wind, from its numbers. */
export function spokenWind(conditions: Record<string, number | null | undefined>, unit: SpeedUnit): string {
  const [direction, intensity] = variable("wind").outputs.map(({ point }) => conditions[point]);
  if (typeof intensity !== "number") return "Wind not available.";
  const from = typeof direction === "number" ? ` from ${compassPoint(direction)}` : "";
  const unitWords = { kn: "knots", "m/s": "metres per second", Bft: "Beaufort" }[unit];
  return `Wind ${formatSpeed(intensity, unit)} ${unitWords}${from}.`;
}

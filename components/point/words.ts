import { isSlow } from "#components/view/layers.ts";
import { type Output, type VariableName, variable } from "#lib/catalog/variables.ts";
import type { NullReason, PointMeta } from "#lib/contract/point.ts";
import { compassPoint } from "#lib/position.ts";
import { numberIn, textIn, type Units, unitFor } from "#lib/units.ts";

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

/** A value with its unit, in the units chosen. */
export function valueText(value: number, output: Output, name: VariableName, units: Units): string {
  if (output.unit === "°") return `${Math.round(value) % 360}° (${compassPoint(value)})`;
  const unit = unitFor(output.unit, units, isSlow(name));
  return textIn(value, { ...unit, decimals: Math.min(unit.decimals, output.decimals) });
}

/** One sentence for people who hear the page: the wind, from its numbers. */
export function spokenWind(conditions: Record<string, number | null | undefined>, units: Units): string {
  const [direction, intensity] = variable("wind").outputs.map(({ point }) => conditions[point]);
  if (typeof intensity !== "number") return "Wind not available.";
  const from = typeof direction === "number" ? ` from ${compassPoint(direction)}` : "";
  const unit = unitFor("m/s", units);
  return `Wind ${numberIn(intensity, unit)} ${unit.spoken}${from}.`;
}

import { readingOf } from "#components/view-state/layers.ts";
import type { Output, VariableName } from "#lib/catalog/variables.ts";
import type { NullReason, PointMeta } from "#lib/contract/point.ts";
import { compassPoint } from "#lib/position.ts";
import { numberIn, textIn, type Units, unitFor } from "#lib/units.ts";

/** Numbers of one point, by the names of the API. */
export type Conditions = Record<string, number | null | undefined>;

const reasonTexts: Record<NullReason, string> = {
  land: "on land",
  ice: "under ice",
  out_of_archive: "not in archive",
  out_of_domain: "outside the area",
  missing: "no value",
};

/** `— not available (on land)`. @param reason Why the value is null, if the reply states it. */
export function formatAbsent(reason: NullReason | undefined): string {
  return reason ? `— not available (${reasonTexts[reason]})` : "— not available";
}

/** Why a variable has no value at the first point of a reply. */
export function nullReason(meta: PointMeta | undefined, name: VariableName): NullReason | undefined {
  return meta?.nulls.find((entry) => entry.variable === name && entry.points.includes(0))?.reason;
}

/** A value in the chosen unit. */
export function formatValue(value: number, output: Output, name: VariableName, units: Units): string {
  if (output.unit === "°") return `${formatBearing(value)} (${compassPoint(value)})`;
  const unit = unitFor(output.unit, units, readingOf(name));
  return textIn(value, { ...unit, decimals: Math.min(unit.decimals, output.decimals) });
}

/** `007°`, `250°`: three digits. */
export function formatBearing(bearing: number): string {
  return `${String(Math.round(bearing) % 360).padStart(3, "0")}°`;
}

/** A quantity that matters most, in one line. */
export interface KeyValue {
  name: "Wind" | "Waves" | "Current";
  /** For display: `28 kn from west-southwest (249°), gusts 35 kn`. */
  text: string;
  /** For screen readers: units in words, bearings by name. */
  spoken: string;
}

/** Wind, waves and current in one line each: winds and waves by where they come FROM, currents by where they flow TO. */
export function keyValues(conditions: Conditions, units: Units): KeyValue[] {
  const get = (name: string) => conditions[name] ?? undefined;
  const wind = unitFor("m/s", units);
  const slow = unitFor("m/s", units, "slow");
  const height = unitFor("m", units);
  const lines: [KeyValue["name"], number | undefined, (style: Wording) => string][] = [
    [
      "Wind",
      get("Winds_10m_Intensity"),
      ({ number, towards }) => {
        const gust = get("Gust_10m");
        const blows = number(get("Winds_10m_Intensity") ?? 0, wind);
        const gusts = gust === undefined ? "" : `, gusts ${number(gust, wind)}`;
        return `${blows}${towards(" from", get("Winds_10m_Direction"))}${gusts}`;
      },
    ],
    [
      "Waves",
      get("Waves_Significant_Height"),
      ({ number, towards }) => {
        const period = get("Waves_Mean_Period");
        const every = period === undefined ? "" : `, ${number(period, unitFor("s", units))}`;
        const high = number(get("Waves_Significant_Height") ?? 0, height);
        return `${high}${every}${towards(" from", get("Waves_Mean_Direction"))}`;
      },
    ],
    [
      "Current",
      get("Currents_Intensity"),
      ({ number, towards }) =>
        `${number(get("Currents_Intensity") ?? 0, slow)}${towards(" setting", get("Currents_Direction"))}`,
    ],
  ];
  return lines.map(([name, value, describe]) => ({
    name,
    text: value === undefined ? "not available" : describe(displayed),
    spoken: `${name} ${value === undefined ? "not available" : describe(spoken)}.`,
  }));
}

interface Wording {
  number(value: number, unit: Parameters<typeof textIn>[1]): string;
  towards(sense: string, bearing: number | undefined): string;
}

const displayed: Wording = {
  number: textIn,
  towards: (sense, bearing) =>
    bearing === undefined ? "" : `${sense} ${compassPoint(bearing)} (${formatBearing(bearing)})`,
};

const spoken: Wording = {
  number: (value, unit) => `${numberIn(value, unit)} ${unit.spoken}`,
  towards: (sense, bearing) => (bearing === undefined ? "" : `${sense} ${compassPoint(bearing)}`),
};

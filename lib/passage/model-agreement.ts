import type { VariableName } from "#lib/catalog/variables.ts";
import type { ModelsAtDeparture, ModelVerdict, PassagePlan } from "#lib/contract/passage-reply.ts";
import { formatInstant } from "#lib/time.ts";
import { type LimitName, type Limits, limitNames } from "./limits.ts";
import type { Piece } from "./march.ts";
import { MAX_UNKNOWN_SEA, type UnknownReason, type Verdict } from "./verdict.ts";
import type { Weather } from "./vessel.ts";

/** The variables from which the values of a limit are computed. The distance of storms depends on no model. */
const inputs: Readonly<Record<LimitName, readonly VariableName[]>> = {
  wind_kt: ["wind"],
  gust_kt: ["gust"],
  apparent_ahead_kt: ["wind"],
  head_sea_m: ["wave"],
  beam_sea_m: ["wave"],
  following_sea_m: ["wave"],
  acceleration_g: ["wave"],
  current_against_wind_kt: ["current"],
  rain_mm_h: ["rain"],
  cape_j_kg: ["mucape"],
  storm_km: [],
};

/** The values without which a variable counts as unknown. */
const values: Partial<Record<VariableName, readonly (keyof Weather & string)[]>> = {
  wind: ["Winds_10m_Intensity"],
  gust: ["Gust_10m"],
  wave: ["Waves_Significant_Height", "Waves_Mean_Period"],
  current: ["Currents_Intensity"],
  rain: ["Precipitation"],
  mucape: ["MUCAPE"],
};

/** The first place on the way, Unix seconds, at which no run of the model has a variable, and why. */
export interface Unreached {
  why: "ends" | "outside";
  time: number;
}

/** The variables that limits need. Without the wind nothing is known about a passage, even if no limit is checked. */
export function neededVariables(limits: Limits): VariableName[] {
  const checked = limitNames.filter((name) => limits[name] !== null);
  return [...new Set<VariableName>(["wind", ...checked.flatMap((name) => inputs[name])])];
}

/** The checked limits that need a variable which is nowhere. */
export function limitsWithout(limits: Limits, has: (name: VariableName) => boolean): LimitName[] {
  return limitNames.filter((name) => limits[name] !== null && !inputs[name].every(has));
}

/** The variables that limits need and a model does not know on a passage, in the order of the limits. */
export function unknownOf(
  pieces: readonly Pick<Piece, "seconds" | "weather" | "at">[],
  limits: Limits,
  unreached: ReadonlyMap<VariableName, Unreached>,
): ModelVerdict["unknown"] {
  const checked = limitNames.filter((name) => limits[name] !== null);
  const whole = pieces.reduce((sum, { seconds }) => sum + seconds, 0);
  return neededVariables(limits).flatMap((variable) => {
    const missing = pieces.filter(({ weather }) =>
      values[variable]!.some((name) => (weather[name] ?? null) === null),
    );
    const [first] = missing;
    if (!first) return [];
    const seconds = missing.reduce((sum, one) => sum + one.seconds, 0);
    const beyond = unreached.get(variable);
    const why: UnknownReason | undefined =
      missing.length === pieces.length
        ? "lacks"
        : (beyond?.why ?? (seconds > MAX_UNKNOWN_SEA * whole ? "gaps" : undefined));
    if (!why) return [];
    const from =
      why === "lacks" ? null : formatInstant(Math.round(why === "gaps" ? first.at.time : beyond!.time));
    return [{ variable, why, from, limits: checked.filter((name) => inputs[name].includes(variable)) }];
  });
}

/**
 * The verdict of one model on a passage. A value beyond a limit is known, and so NO stands; anything better needs all that the
 * limits need.
 *
 * @param leg Position of the leg of what decided; null if it concerns none.
 */
export function modelVerdict(
  model: string,
  { verdict, deciding, arrival, totals }: PassagePlan,
  leg: number | null,
  unknown: ModelVerdict["unknown"],
): ModelVerdict {
  const { max_wind_kt, max_gust_kt, max_height_m } = totals;
  return {
    model,
    says: verdict !== "NO" && unknown.length > 0 ? "cannot_say" : verdict,
    arrival,
    max_wind_kt,
    max_gust_kt,
    max_height_m,
    by: deciding?.by ?? null,
    text: deciding?.text ?? null,
    leg: deciding ? leg : null,
    at: deciding?.at ?? null,
    unknown,
  };
}

/** The verdicts of several models beside each other: what all of them say, or who differs. */
export function compareModels(departure: string, models: ModelVerdict[]): ModelsAtDeparture {
  return { departure, agreed: agreedBy(models), text: agreementText(models), models };
}

/** The verdict of all models; null if they differ, or one of them cannot say. */
export function agreedBy(models: readonly Pick<ModelVerdict, "says">[]): Verdict | null {
  const [first] = models;
  if (!first || first.says === "cannot_say") return null;
  return models.every(({ says }) => says === first.says) ? first.says : null;
}

/** Joins comparisons of the same departures by different models, in the order in which the departures first come. */
export function joinComparisons(
  one: readonly ModelsAtDeparture[],
  more: readonly ModelsAtDeparture[],
): ModelsAtDeparture[] {
  const joined = new Map<string, ModelVerdict[]>();
  for (const { departure, models } of [...one, ...more])
    joined.set(departure, [...(joined.get(departure) ?? []), ...models]);
  return [...joined].map(([departure, models]) => compareModels(departure, models));
}

/** English names of the variables of limits, as a part of a sentence. */
const variableTexts: Partial<Record<VariableName, string>> = {
  wind: "wind",
  gust: "gusts",
  wave: "waves",
  current: "currents",
  rain: "rain",
  mucape: "CAPE",
};

/** `All 3 models agree: GO`, or who differs, where and when; in English. */
export function agreementText(models: readonly ModelVerdict[]): string {
  const agreed = agreedBy(models);
  const count = models.length;
  if (agreed)
    return count === 1 ? `${models[0]!.model} says ${agreed}` : `All ${count} models agree: ${agreed}`;
  const go = models.filter(({ says }) => says === "GO").map(({ model }) => model);
  const others = models.filter(({ says }) => says !== "GO").map(otherText);
  return [
    ...(go.length > 0
      ? [`${go.length} of ${count} models ${go.length === 1 ? "says" : "say"} GO: ${go.join(", ")}`]
      : []),
    ...others,
  ].join(". ");
}

/** Causes whose text begins with the leg. */
const legCauses: readonly ModelVerdict["by"][] = ["crosses_land", "near_coast"];

function otherText({ model, says, by, text, leg, at, unknown }: ModelVerdict): string {
  if (says === "cannot_say") return `${model} cannot say: ${unknown.map(unknownText).join(", ")}`;
  const where = at ? ` at ${at.latitude}, ${at.longitude}, ${at.timestamp}` : "";
  const onLeg = leg === null || legCauses.includes(by) ? "," : `, on leg ${leg + 1}`;
  return `${model} says ${says}: ${text ?? ""}${onLeg}${where}`;
}

function unknownText({ variable, why, from }: ModelVerdict["unknown"][number]): string {
  const name = variableTexts[variable] ?? variable;
  switch (why) {
    case "lacks":
      return `it has no ${name}`;
    case "ends":
      return `the forecast of ${name} ends before ${from}`;
    case "outside":
      return `the forecast of ${name} does not reach the place at ${from}`;
    case "gaps":
      return `it has no ${name} for more than a tenth of the time, first at ${from}`;
  }
}

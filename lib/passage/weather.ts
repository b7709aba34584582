import type { OutputName } from "#lib/catalog/variables.ts";
import { toKnots } from "#lib/knots.ts";
import type { Wind } from "./apparent-wind.ts";

/** What is known at a place and time: fields of POST /MetOcean with its numbers. null, or absent, where there is none. */
export type Weather = Readonly<Partial<Record<OutputName, number | null>>>;

/** A current, knots, and the direction that it goes TO. */
export interface Current {
  set: number;
  drift: number;
}

/** The wind; undefined where none is known. A calm comes from 0°. */
export function windOf(weather: Weather): Wind | undefined {
  const speed = weather.Winds_10m_Intensity;
  if (speed === undefined || speed === null) return undefined;
  return { knots: toKnots(speed), from: weather.Winds_10m_Direction ?? 0 };
}

/** The current; undefined where none is known. */
export function currentOf(weather: Weather): Current | undefined {
  const speed = weather.Currents_Intensity;
  if (speed === undefined || speed === null) return undefined;
  return { drift: toKnots(speed), set: weather.Currents_Direction ?? 0 };
}

/** Waves of one kind. */
export interface Sea {
  /** Significant height, m. */
  height: number;
  /** Mean period, s. */
  period: number;
  /** Direction that they come FROM, degrees. */
  from: number;
}

// Written out: a search for a route asks millions of times, and joining names took a tenth of it.
const seas = {
  whole: ["Waves_Significant_Height", "Waves_Mean_Period", "Waves_Mean_Direction"],
  swell: ["Swell_Significant_Height", "Swell_Mean_Period", "Swell_Mean_Direction"],
  wind: ["Windwaves_Significant_Height", "Windwaves_Mean_Period", "Windwaves_Mean_Direction"],
} as const;

/** Waves; undefined where height, period or direction is not known. A flat sea is known: its height is 0. */
export function seaOf(weather: Weather, of: keyof typeof seas): Sea | undefined {
  const [ofHeight, ofPeriod, ofDirection] = seas[of];
  const height = weather[ofHeight];
  if (height === undefined || height === null) return undefined;
  if (height === 0) return { height, period: 0, from: 0 };
  const [period, from] = [weather[ofPeriod], weather[ofDirection]];
  if (period === undefined || period === null || from === undefined || from === null) return undefined;
  return { height, period, from };
}

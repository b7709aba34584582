import { decodePolyline, encodePolyline } from "@open-metocean/geo/flexible-polyline";
import { type Plan, planForm } from "#lib/contract/passage.ts";

/** A plan as text for a link. */
export interface PlanText {
  text: string;
  /** false if the vessel's own tables or the names of waypoints did not fit. */
  isWhole: boolean;
}

/**
 * Longest text that still includes everything. The server accepts page addresses with a query of up to 4096
 * characters.
 */
const MAX_CHARACTERS = 3500;

/** The part after the route, with short names; absent properties are left out. */
interface Rest {
  n?: string;
  /** Names of waypoints, by position. */
  w?: Record<number, string>;
  /** Positions of the waypoints that end a rhumb line; true means all. */
  r?: number[] | true;
  /** Gates, by position. */
  g?: Record<number, unknown>;
  d?: string;
  /** First and last departure, and step in hours. */
  s?: [from: string, to: string, step: number];
  v?: Plan["vessel"];
  l?: Plan["limits"];
  a?: Plan["arrive"];
}

const SEPARATOR = "*";

/**
 * Encodes a plan for a link: the route as Flexible Polyline (five decimals of a degree: 1.1 m), an asterisk,
 * and the rest as base64url of JSON.
 */
export function planToText(plan: Plan): PlanText {
  const whole = written(plan);
  if (whole.length <= MAX_CHARACTERS) return { text: whole, isWhole: true };
  const vessel = plan.vessel && { ...plan.vessel, table: undefined, polar: undefined, fuel: undefined };
  const route = plan.route.map(({ name: _, ...waypoint }) => waypoint);
  return { text: written({ ...plan, vessel, route }), isWhole: false };
}

/** Inverse of `planToText`. @returns undefined if the text is not a plan, or exceeds the limits of one. */
export function planFromText(text: string): Plan | undefined {
  const [line = "", packed, ...more] = text.split(SEPARATOR);
  const places = decodePolyline(line);
  const rest = packed === undefined ? {} : unpacked(packed);
  if (!places || !rest || more.length > 0) return undefined;
  const { n = "", w = {}, r = [], g = {}, d, s, v, l, a } = rest;
  const read = planForm.safeParse({
    name: n,
    route: places.map((place, index) => ({
      ...place,
      leg: r === true || (Array.isArray(r) && r.includes(index)) ? "rhumb" : "great_circle",
      ...(w?.[index] !== undefined && { name: w[index] }),
      ...(g?.[index] !== undefined && { gate: g[index] }),
    })),
    ...(d !== undefined && { departure: d }),
    ...(s !== undefined && { departures: { from: s?.[0], to: s?.[1], step_hours: s?.[2] } }),
    vessel: v,
    ...(l !== undefined && { limits: l }),
    ...(a !== undefined && { arrive: a }),
  });
  return read.success ? read.data : undefined;
}

function written({ name, route, departure, departures, vessel, limits, arrive }: Plan): string {
  const names = route.flatMap((waypoint, index) => (waypoint.name ? [[index, waypoint.name] as const] : []));
  const gates = route.flatMap(({ gate }, index) => (gate ? [[index, gate] as const] : []));
  const rhumb = route.flatMap(({ leg }, index) => (leg === "rhumb" ? [index] : []));
  const rest: Rest = {
    ...(name && { n: name }),
    ...(names.length > 0 && { w: Object.fromEntries(names) }),
    ...(rhumb.length > 0 && { r: rhumb.length === route.length ? true : rhumb }),
    ...(gates.length > 0 && { g: Object.fromEntries(gates) }),
    ...(departure && { d: departure }),
    ...(departures && { s: [departures.from, departures.to, departures.step_hours] }),
    ...(vessel && { v: vessel }),
    ...(limits && Object.keys(limits).length > 0 && { l: limits }),
    ...(arrive && { a: arrive }),
  };
  return `${encodePolyline(route)}${SEPARATOR}${packed(rest)}`;
}

function packed(rest: Rest): string {
  const bytes = new TextEncoder().encode(JSON.stringify(rest));
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join("");
  return btoa(binary).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

function unpacked(text: string): Rest | undefined {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    const rest: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
    return typeof rest === "object" && rest !== null ? rest : undefined;
  } catch {
    // The rest is not valid base64url, UTF-8 or JSON.
    return undefined;
  }
}

import "#components/api-client/without-eval.ts";
import type { FileBody } from "#components/api-client/file-service.ts";
import { grib2Rows } from "#lib/catalog/grib2.ts";
import { type VariableName, variableNames } from "#lib/catalog/variables.ts";
import { mapLimits } from "#lib/contract/map2d.ts";
import type { StormProvider } from "#lib/contract/storm-providers.ts";
import { readTypedDecimal } from "#lib/decimal.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import { type Box, boxOfView } from "#lib/geo/box.ts";
import type { Place } from "#lib/geo/sphere.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { DAY_S, formatInstant, HOUR_S } from "#lib/time.ts";

export const areaKinds = ["view", "box", "storm", "route"] as const;
export const sides = ["north", "south", "west", "east"] as const;
export const steps = [1, 3, 6, 12, 24] as const;
export const strides = [1, 2, 4, 8] as const;
export const formats = ["grib2", "netcdf", "csv"] as const;

export type Edges = Record<(typeof sides)[number], string>;

/** What the user has chosen; what is undefined follows the map. */
export interface Draft {
  area: (typeof areaKinds)[number];
  /** Of a box, as they are typed, degrees. */
  edges?: Edges;
  storm?: string;
  /** Nautical miles. */
  radius: number;
  halfWidth: number;
  variables?: readonly VariableName[];
  /** Unix seconds. */
  from?: number;
  to?: number;
  /** Hours; undefined for every time of the model. */
  step: (typeof steps)[number] | undefined;
  stride: number;
  format: (typeof formats)[number];
  /** GRIB2 is packed more tightly. */
  smaller: boolean;
}

export const newDraft: Draft = {
  area: "view",
  radius: 300,
  halfWidth: 60,
  step: 3,
  stride: 1,
  format: "grib2",
  smaller: false,
};

export interface ShownStorm {
  id: string;
  provider: StormProvider;
  title: string;
}

export interface ShownView {
  box: ViewBox | undefined;
  /** Unix seconds. */
  time: number;
  variables: readonly VariableName[];
  storms: readonly ShownStorm[];
  /** Id of the storm whose card is open. */
  storm: string | null;
  route: readonly Place[];
}

/** How far ahead a file goes, unless the user says so. */
const SPAN_S = 2 * DAY_S;

/** The draft with what follows the map filled in. */
export function filledIn(draft: Draft, shown: ShownView) {
  const from = draft.from ?? Math.floor(shown.time / HOUR_S) * HOUR_S;
  return {
    variables: draft.variables ?? shown.variables,
    from,
    to: draft.to ?? from + SPAN_S,
    edges: draft.area === "box" && draft.edges ? draft.edges : edgesOf(shown.box),
    storm: shown.storms.find(({ id }) => id === (draft.storm ?? shown.storm)) ?? shown.storms[0],
  };
}

/** The edges of a box as one would type them, in tenths of a degree, outward. */
export function edgesOf(box: ViewBox | undefined): Edges {
  if (!box) return { north: "", south: "", west: "", east: "" };
  const round = (value: number, by: (value: number) => number) => by(Number((value * 10).toFixed(3))) / 10;
  const { south, north, west, east } = boxOfView({
    south: round(box.south, Math.floor),
    north: round(box.north, Math.ceil),
    west: round(box.west, Math.floor),
    east: round(box.east, Math.ceil),
  });
  const text = (value: number) => String(Number(value.toFixed(1)) + 0);
  return { north: text(north), south: text(south), west: text(west), east: text(east) };
}

/** The box of typed edges; undefined while they are none. */
export function boxOfEdges(edges: Edges): Box | undefined {
  return wrongEdges(edges) ? undefined : numbersOf(edges);
}

function numbersOf(edges: Edges): Box {
  return Object.fromEntries(sides.map((side) => [side, readTypedDecimal(edges[side])])) as unknown as Box;
}

function wrongEdges(edges: Edges): "latitudes" | "longitudes" | undefined {
  const { south, north, west, east } = numbersOf(edges);
  if (!(Math.abs(south) <= 90 && Math.abs(north) <= 90 && south <= north)) return "latitudes";
  if (!(Math.abs(west) <= 180 && Math.abs(east) <= 180)) return "longitudes";
  return undefined;
}

/** Whether GRIB2 has no form for a variable. */
export const isNotInGrib = (name: VariableName): boolean => typeof grib2Rows[name] === "string";

/** Why there can be no file of a draft; undefined where there can be one. */
export function problemOf(
  draft: Draft,
  shown: ShownView,
): keyof Messages["download"]["problems"] | undefined {
  const { variables, from, to, edges, storm } = filledIn(draft, shown);
  if (draft.area === "view" && !shown.box) return "view";
  if (draft.area === "box") {
    const wrong = wrongEdges(edges);
    if (wrong) return wrong;
  }
  if (draft.area === "storm" && !storm) return "storm";
  if (draft.area === "route" && shown.route.length === 0) return "route";
  if (variables.length === 0) return "variables";
  if (draft.format === "grib2" && variables.some(isNotInGrib)) return "grib";
  if (!(to >= from)) return "times";
  if (to - from > mapLimits.rangeDays * DAY_S) return "long";
  return undefined;
}

export function bodyOf(draft: Draft, shown: ShownView): FileBody {
  const { variables, from, to } = filledIn(draft, shown);
  return {
    area: areaOf(draft, shown),
    variables: variableNames.filter((name) => variables.includes(name)),
    from: formatInstant(from),
    to: formatInstant(to),
    ...(draft.step !== undefined && { step_hours: draft.step }),
    stride: draft.stride,
    format: draft.format,
    ...(draft.format === "grib2" && draft.smaller && { packing: "complex" as const }),
  };
}

function areaOf(draft: Draft, shown: ShownView): FileBody["area"] {
  const { edges, storm } = filledIn(draft, shown);
  if (draft.area === "storm" && storm)
    return { type: "storm", provider: storm.provider, id: storm.id, radius_nm: draft.radius };
  if (draft.area === "route")
    return {
      type: "route",
      waypoints: shown.route.map(({ latitude, longitude }) => ({ latitude, longitude })),
      half_width_nm: draft.halfWidth,
    };
  const { south, north, west, east } = numbersOf(edges);
  return { type: "box", latitude: [south, north], longitude: [west, east] };
}

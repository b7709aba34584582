import "#components/api-client/without-eval.ts";
import type { ViewBox } from "@open-metocean/geo/box";
import type { Place } from "@open-metocean/geo/sphere";
import type { StormProvider } from "@open-metocean/storms/providers";
import type { FileBody } from "#components/api-client/services.ts";
import { type Edges, edgesOf, numbersOf } from "#components/fields/box-edges.ts";
import { type ContractIssue, contractResolver } from "#components/fields/contract-resolver.ts";
import type { NamedSpot } from "#components/view-state/saved-places.ts";
import { type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import { fileRequest } from "#lib/contract/files.ts";
import { readTypedDecimal } from "#lib/decimal.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { positionText } from "#lib/position.ts";
import { readPosition } from "#lib/positions/read-position.ts";
import { DAY_S, formatInstant, HOUR_S, startOfDay } from "#lib/time.ts";

export const areaKinds = ["view", "box", "point", "places", "storm", "route"] as const;
export const steps = [1, 3, 6, 12, 24] as const;
export const strides = [1, 2, 4, 8] as const;

type Format = NonNullable<FileBody["format"]>;

const gridFormats: readonly Format[] = ["grib2", "netcdf", "csv"];
const seriesFormats: readonly Format[] = ["csv", "xlsx", "netcdf", "json"];

/** Choices of the user; an undefined one follows the map. */
export interface Draft {
  area: (typeof areaKinds)[number];
  /** Edges of a box as typed, degrees. */
  edges?: Edges;
  /** Position as typed. */
  point?: string;
  /** Keys of saved places. */
  places?: readonly string[];
  storm?: string;
  /** Distances as typed, nautical miles. */
  radius: string;
  halfWidth: string;
  variables?: readonly VariableName[];
  /** Unix seconds. */
  from?: number;
  to?: number;
  /** Step in hours; undefined for every time of the model. */
  step: (typeof steps)[number] | undefined;
  stride: number;
  format?: Format;
  /** GRIB2 uses complex packing. */
  smaller: boolean;
}

export const newDraft: Draft = {
  area: "view",
  radius: "300",
  halfWidth: "60",
  step: 3,
  stride: 1,
  smaller: false,
};

export interface ShownStorm {
  id: string;
  provider: StormProvider;
  title: string;
}

export interface ShownView {
  box: ViewBox | undefined;
  /** The sampled place. */
  point: Place | null;
  saved: readonly NamedSpot[];
  /** Unix seconds; `last` is the end of the forecast. */
  time: number;
  last: number;
  variables: readonly VariableName[];
  storms: readonly ShownStorm[];
  /** Id of the storm whose card is open. */
  storm: string | null;
  route: readonly Place[];
}

/** Default length of a file, seconds: for an area, and for a series, which begins with the day. */
const [SPAN_S, SERIES_S] = [2 * DAY_S, 10 * DAY_S];

const seriesVariables: readonly VariableName[] = ["wind", "gust", "wave", "current", "pressure"];

/** Whether a draft is a series at places instead of an area. */
export const isSeries = ({ area }: Draft): boolean => area === "point" || area === "places";

export const formatsOf = (draft: Draft) => (isSeries(draft) ? seriesFormats : gridFormats);

export const keyOfPlace = ({ latitude, longitude }: Place): string => `${latitude} ${longitude}`;

/** A draft of the series at the sampled place, or at all saved places: hourly, to the end of the forecast. */
export const seriesAt = (
  area: "point" | "places",
  { variables, format, places, point, ...draft }: Draft,
): Draft => ({
  ...draft,
  area,
  from: undefined,
  to: undefined,
  step: 1,
});

/** The draft, with the properties that follow the map filled in. */
export function filledIn(draft: Draft, shown: ShownView) {
  const series = isSeries(draft);
  const from = draft.from ?? (series ? startOfDay(shown.time) : Math.floor(shown.time / HOUR_S) * HOUR_S);
  const until = series ? Math.min(from + SERIES_S, Math.floor(shown.last / HOUR_S) * HOUR_S) : from + SPAN_S;
  const formats = formatsOf(draft);
  const { point, saved } = shown;
  const places = saved.filter((place) => draft.places?.includes(keyOfPlace(place)) ?? true);
  return {
    variables: draft.variables ?? (series ? seriesVariables : shown.variables),
    from,
    to: draft.to ?? until,
    edges: draft.area === "box" && draft.edges ? draft.edges : edgesOf(shown.box),
    point: draft.point ?? (point ? positionText(point.latitude, point.longitude) : ""),
    places,
    storm: shown.storms.find(({ id }) => id === (draft.storm ?? shown.storm)) ?? shown.storms[0],
    format: formats.find((format) => format === draft.format) ?? formats[0]!,
  };
}

/** The places of a series. */
function placesOf(draft: Draft, shown: ShownView): readonly Place[] {
  if (draft.area === "places") return filledIn(draft, shown).places;
  if (draft.point === undefined) return shown.point ? [shown.point] : [];
  const reading = readPosition(draft.point, []);
  return reading.kind === "place" ? [reading.place] : [];
}

/** Whether a variable is missing from GRIB2 files. */
export const isNotInGrib = (name: VariableName): boolean => typeof variable(name).grib2 === "string";

type Problem = keyof Messages["download"]["problems"];

/** Checks a draft by the contract. @param textOf Words for what is wrong. */
export const draftCheck = (shown: ShownView, textOf: (problem: Problem) => string) =>
  contractResolver({
    schema: fileRequest,
    bodyOf: (draft: Draft) => bodyOf(draft, shown),
    fieldOf: ({ path: [part, inner] }, draft) => {
      if (part === "variables" || part === "from" || part === "to" || part === "format") return part;
      if (inner === "radius_nm") return "radius";
      return inner === "half_width_nm" ? "halfWidth" : areaFields[draft.area];
    },
    textOf: (issue, draft) => textOf(problemOf(issue, draft, shown)),
  });

const areaFields = {
  view: "edges",
  box: "edges",
  point: "point",
  places: "places",
  storm: "storm",
  route: "area",
} as const satisfies Record<Draft["area"], keyof Draft>;

/** Why no file of a draft is possible. */
function problemOf({ path, code }: ContractIssue, draft: Draft, shown: ShownView): Problem {
  const [part, inner] = path;
  if (part === "variables") return code === "too_small" ? "variables" : "grib";
  if (part !== "area") {
    const { from, to } = filledIn(draft, shown);
    if (to < from) return "times";
    return isSeries(draft) ? "tooMany" : "long";
  }
  if (inner === "radius_nm" || inner === "half_width_nm") return "miles";
  if (draft.area === "box") return inner === "longitude" ? "longitudes" : "latitudes";
  return draft.area === "places" && code === "too_big" ? "manyPlaces" : draft.area;
}

/** The request of a draft; the schema refuses one in which something is missing. */
export function bodyOf(draft: Draft, shown: ShownView): FileBody {
  const { variables, from, to, format } = filledIn(draft, shown);
  return {
    area: areaOf(draft, shown),
    variables: variableNames.filter((name) => variables.includes(name)),
    from: formatInstant(from),
    to: formatInstant(to),
    ...(draft.step !== undefined && { step_hours: draft.step }),
    ...(!isSeries(draft) && { stride: draft.stride }),
    format,
    ...(format === "grib2" && draft.smaller && { packing: "complex" as const }),
  };
}

function areaOf(draft: Draft, shown: ShownView): FileBody["area"] {
  const { edges, storm } = filledIn(draft, shown);
  if (draft.area === "storm")
    return {
      type: "storm",
      provider: storm?.provider ?? "jtwc",
      id: storm?.id ?? "",
      radius_nm: readTypedDecimal(draft.radius),
    };
  if (draft.area === "route")
    return {
      type: "route",
      waypoints: shown.route.map(({ latitude, longitude }) => ({ latitude, longitude })),
      half_width_nm: readTypedDecimal(draft.halfWidth),
    };
  if (isSeries(draft))
    return {
      type: "points",
      points: placesOf(draft, shown).map(({ latitude, longitude }) => ({ latitude, longitude })),
    };
  const { south, north, west, east } = numbersOf(edges);
  return { type: "box", latitude: [south, north], longitude: [west, east] };
}

import type { Side } from "#components/view-state/compared.ts";
import type { Theme } from "#components/view-state/map-colours.ts";
import type { Overlay } from "#components/view-state/overlays.ts";
import type { BetterMark, PlanStorm, RouteShare } from "#components/view-state/plan.ts";
import type { Place } from "#components/view-state/view-url.ts";
import { type DrawnVariable, layerRow } from "#lib/catalog/colours.ts";
import type { ViewBox } from "#lib/field/frame-chunks.ts";
import type { FramePair } from "#lib/field/interpolate.ts";
import type { LegKind } from "#lib/passage/route.ts";
import type { Divider } from "./divider.ts";

/** What the map shows. The page makes it, the map layers draw it. */
export interface Scene {
  /** Painted in colours; undefined until a field was read. `old`: of another time than the one wanted, hence in grey. */
  field: (SceneField & { old?: boolean }) | undefined;
  /** Beside the field, right of the divider: undefined where one picture is shown. */
  compared?: ComparedScene | undefined;
  /** The first field is loading: deferred layers wait for it. */
  awaited: boolean;
  /** Depth that shades the sea below the colours; undefined leaves it plain. */
  relief: FramePair | undefined;
  /** Lines, barbs, arrows and particles over the colours. */
  symbols: readonly SceneSymbols[];
  /** Overlays that are switched on, those of the basemap among them. */
  overlays: readonly Overlay[];
  projection: Projection;
  /** `data-theme` of the page, set before the scene is drawn. When it changes, layers read their colours again. */
  theme: Theme;
  /** The place whose conditions are shown. */
  sample: Place | null;
  /** Points of a task; undefined draws none. */
  route?: SceneRoute | undefined;
  /** The plan of a passage; undefined draws none. */
  plan?: ScenePlan | undefined;
  /** The area of a download; undefined draws none. */
  area?: SceneArea | undefined;
}

/** The area of a download, and how it is changed on the map. */
export interface SceneArea {
  /** Undefined until one is drawn. `east` is above `west`, beyond 180 across the antimeridian. */
  box: ViewBox | undefined;
  /** A drag over the map makes a new box. */
  isDrawing: boolean;
  /** The first of two clicks that make one. */
  corner: Place | undefined;
  /** A box was drawn, or a corner of it dragged; undefined: it cannot be. Longitudes may be beyond 180. */
  onBox: ((box: ViewBox) => void) | undefined;
}

/** The route of a plan, and what is marked on it. */
export interface ScenePlan {
  route: readonly (Place & { leg: LegKind; name?: string | undefined })[];
  /** Position of the waypoint that is marked. */
  marked: number | undefined;
  /** @see course Degrees, TO. */
  boat: (Place & { course: number | undefined }) | undefined;
  storms: readonly PlanStorm[];
  /** A route that is proposed beside it. */
  better?: BetterMark | undefined;
  /** Its parts by the worst share of a limit. */
  shares?: readonly RouteShare[];
  /** A distance that is measured. */
  measured?: { from: Place; to: Place; label: string } | undefined;
  /** Clicks add waypoints: two of them do not make the map larger. */
  isDrawing: boolean;
  /** A waypoint was dragged; undefined: it cannot be. */
  onMove: ((waypoint: number, to: Place) => void) | undefined;
  /** The middle of a leg was dragged: a waypoint is to be put there, before that one. */
  onInsert?: ((waypoint: number, place: Place) => void) | undefined;
}

/** The other of two pictures. */
export interface ComparedScene {
  /** Undefined until it was read, or where there is none. */
  field: Scene["field"];
  divider: Divider;
}

/** Points that belong together. */
export interface SceneRoute {
  points: readonly Place[];
  /** They follow each other: a line joins them. */
  isRoute: boolean;
  /** The map moves to show all of them when they are drawn first. */
  fit: boolean;
}

/** A variable around an instant. */
export interface SceneField {
  variable: DrawnVariable;
  pair: FramePair;
}

/** Whether the colours cover the land: in both of two pictures, or in none. */
export function isOverLand({ field, compared }: Pick<Scene, "field" | "compared">): boolean {
  const shown = [field, compared?.field].filter((one) => one !== undefined);
  return shown.length > 0 && shown.every(({ variable }) => layerRow(variable).overLand);
}

/** A variable drawn by symbols. */
export interface SceneSymbols extends SceneField {
  kind: SymbolKind;
  /** Of two pictures the one that they belong to. */
  side?: Side | undefined;
}

export type SymbolKind = "isolines" | "barbs" | "arrows" | "particles";

export type Projection = "mercator" | "globe";

import type { ViewBox } from "@open-metocean/geo/box";
import type { Side } from "#components/view-state/compared.ts";
import type { Theme } from "#components/view-state/map-colours.ts";
import type { Overlay } from "#components/view-state/overlays.ts";
import type { BetterMark, PlanStorm, RouteShare } from "#components/view-state/plan.ts";
import type { DrawnTiles } from "#components/view-state/tile-overlays.ts";
import type { Place } from "#components/view-state/view-url.ts";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import { type PaintedName, paintedRow } from "#lib/catalog/painted.ts";
import type { FramePair } from "#lib/field/interpolate.ts";
import type { LegKind } from "#lib/passage/route.ts";
import type { Divider } from "./divider.ts";

/** Everything that the map shows. The page creates it, and the map layers draw it. */
export interface Scene {
  /**
   * Field painted in colours; undefined until one was read. `old` means that its time is not the requested
   * one; it is then drawn in grey.
   */
  field: (SceneField & { old?: boolean }) | undefined;
  /** Field on the right of the divider; undefined if a single picture is shown. */
  compared?: ComparedScene | undefined;
  /** The first field is still loading, and deferred layers wait for it. */
  awaited: boolean;
  /** Depth that shades the sea below the colours; undefined leaves the sea plain. */
  relief: FramePair | undefined;
  /** Lines, barbs, arrows and particles over the colours. */
  symbols: readonly SceneSymbols[];
  /** Overlays that are switched on, including those of the basemap. */
  overlays: readonly Overlay[];
  /** Tiles of other services, lowest first. */
  tiles: readonly DrawnTiles[];
  projection: Projection;
  /**
   * `data-theme` of the page, set before the scene is drawn. When it changes, layers read their colours
   * again.
   */
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

/** The area of a download, and its interaction on the map. */
export interface SceneArea {
  /** undefined until one is drawn. `east` is greater than `west`, beyond 180 across the antimeridian. */
  box: ViewBox | undefined;
  /** Dragging over the map draws a new box. */
  isDrawing: boolean;
  /** The first of two clicked corners. */
  corner: Place | undefined;
  /**
   * Called when a box was drawn or one of its corners dragged; undefined if it cannot be changed. Longitudes
   * may be beyond 180.
   */
  onBox: ((box: ViewBox) => void) | undefined;
}

/** The route of a plan and its marks. */
export interface ScenePlan {
  route: readonly (Place & { leg: LegKind; name?: string | undefined })[];
  /** Position of the highlighted waypoint. */
  marked: number | undefined;
  /** @see course Degrees, TO. */
  boat: (Place & { course: number | undefined }) | undefined;
  storms: readonly PlanStorm[];
  /** A route proposed as an alternative. */
  better?: readonly BetterMark[];
  /** Parts of the route by the worst share of a limit. */
  shares?: readonly RouteShare[];
  /** A measured distance. */
  measured?: { from: Place; to: Place; label: string } | undefined;
  /** Clicks add waypoints, and a double click does not zoom. */
  isDrawing: boolean;
  /** Called when a waypoint was dragged; undefined if waypoints cannot be moved. */
  onMove: ((waypoint: number, to: Place) => void) | undefined;
  /**
   * Called when the middle of a leg was dragged: a waypoint is to be inserted there, before waypoint number
   * `waypoint`.
   */
  onInsert?: ((waypoint: number, place: Place) => void) | undefined;
}

/** The second of two compared pictures. */
export interface ComparedScene {
  /** undefined until it was read, or if there is none. */
  field: Scene["field"];
  /** The frames that are subtracted from the field, which then covers the whole map; undefined with a divider. */
  base?: FramePair | undefined;
  divider: Divider;
}

/** Points of one task or route. */
export interface SceneRoute {
  points: readonly Place[];
  /** The points follow each other, and a line joins them. */
  isRoute: boolean;
  /** The map moves to show all of them when they are first drawn. */
  fit: boolean;
}

/** A painted field with its frames around an instant. */
export interface SceneField {
  variable: PaintedName;
  pair: FramePair;
}

/** Whether the colours cover the land; with two pictures it is the same for both. */
export function isOverLand({ field, compared }: Pick<Scene, "field" | "compared">): boolean {
  const shown = [field, compared?.field].filter((one) => one !== undefined);
  return shown.length > 0 && shown.every(({ variable }) => paintedRow(variable).overLand);
}

/** A variable drawn by symbols. */
export interface SceneSymbols extends SceneField {
  variable: DrawnVariable;
  kind: SymbolKind;
  /** Which of two compared pictures they belong to. */
  side?: Side | undefined;
}

export type SymbolKind = "isolines" | "barbs" | "arrows" | "particles";

export type Projection = "mercator" | "globe";

import type { Overlay } from "#components/view-state/overlays.ts";
import type { Theme } from "#components/view-state/themes.ts";
import type { Place } from "#components/view-state/view-url.ts";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import type { FramePair } from "#lib/field/sample.ts";

/** What the map shows. The page makes it, the parts of the map draw it. */
export interface Scene {
  /** What is painted in colours; undefined until a field was read. */
  field: SceneField | undefined;
  /** The first field is on its way: what can wait does, so that it comes sooner. */
  awaited: boolean;
  /** Depth, by which the sea is shaded below the colours; undefined leaves it plain. */
  relief: FramePair | undefined;
  /** Lines, barbs, arrows and particles over the colours. */
  symbols: readonly SceneSymbols[];
  /** Which parts of the basemap are switched on, among others. */
  overlays: readonly Overlay[];
  projection: Projection;
  /** Token set in force (`data-theme` of the page, set before the scene is drawn): parts read their colours anew. */
  theme: Theme;
  /** The place whose conditions are shown. */
  sample: Place | null;
}

/** A variable round an instant. */
export interface SceneField {
  variable: DrawnVariable;
  pair: FramePair;
}

/** A variable drawn by symbols. */
export interface SceneSymbols extends SceneField {
  kind: SymbolKind;
}

export type SymbolKind = "isolines" | "barbs" | "arrows" | "particles";

export type Projection = "mercator" | "globe";

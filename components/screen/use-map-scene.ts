import { bound } from "@open-metocean/geo/rhumb";
import type { Place } from "@open-metocean/geo/sphere";
import { useMemo } from "react";
import type {
  ComparedScene,
  SceneField,
  SceneRoute,
  SceneSymbols,
  SymbolKind,
} from "#components/map/scene.ts";
import { useStorms } from "#components/storms/storms-context.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { type Overlay, symbolsOf } from "#components/view-state/overlays.ts";
import { MAX_SPEED, tryShip, useShip } from "#components/view-state/ship-store.ts";
import { type DrawnTiles, drawnTiles, useTileOverlays } from "#components/view-state/tile-overlays.ts";
import { useShownTheme, useView, useZone } from "#components/view-state/view-context.tsx";
import { layerOf } from "#lib/catalog/painted.ts";
import type { MapScene } from "./map-with-storms.tsx";
import { useTab, useWeather } from "./screen-context.tsx";
import { type CompareState, isOneTime } from "./use-compare.ts";
import { useAreaScene } from "./use-download.ts";
import { usePlanScene } from "./use-plan-map.ts";

/**
 * The scene that the map draws, with the points of a task. It is a new object only if something in it
 * changed.
 */
export function useMapScene(route: SceneRoute | undefined): MapScene {
  const view = useView("o", "proj", "p", "u", "tide");
  const theme = useShownTheme() ?? "light";
  const zone = useZone();
  const { pair, drawn, drawnTime, old, relief, lines, loading, deferredStarted, compare, stations } =
    useWeather(
      "pair",
      "drawn",
      "drawnTime",
      "old",
      "relief",
      "lines",
      "loading",
      "deferredStarted",
      "compare",
      "stations",
    );
  const tab = useTab();
  const { scene: storms } = useStorms("scene");
  const { ship: fix, tried } = useShip();
  const { drawn: shown, now } = useClock("drawn", "now");
  // Trying a course ends when its panel is closed.
  const triedFrom = tab === "ship" && now > 0 ? now : undefined;
  const ship = useMemo(
    () =>
      fix && shown !== undefined
        ? {
            fix: tried ?? fix,
            former: tried && fix,
            time: shown,
            zone,
            onTry:
              triedFrom === undefined
                ? undefined
                : (to: Place, at: number) => tryShip(bound(fix, triedFrom, to, at, MAX_SPEED)),
          }
        : undefined,
    [fix, tried, triedFrom, shown, zone],
  );
  const plan = usePlanScene();
  const area = useAreaScene();
  const awaited = loading && !deferredStarted;
  const { o: overlays, proj: projection, p: sample, u: units } = view;
  const compared = useMemo(() => compare && sceneOf(compare), [compare]);
  const isDifference = compared?.base !== undefined;
  // Lines lie over both pictures, so they are drawn only if both have the time of the lines.
  const sameTime = isOneTime(drawnTime, compare);
  const tides = useMemo(
    () => stations && { stations, opened: view.tide, units, words: zone.words },
    [stations, view.tide, units, zone.words],
  );
  const tiles = useDrawnTiles();
  return useMemo(
    () => ({
      field: pair && drawn && { variable: drawn, pair, old },
      compared,
      awaited,
      relief: relief.pair,
      symbols: [
        ...(pair && drawn && !isDifference
          ? symbolsOf(drawn, overlays).map((kind) => ({ kind, variable: layerOf(drawn), pair }))
          : []
        )
          // Symbols that cannot be cut at the divider would also cover the other picture.
          .filter(({ kind }) => !compared || isCut(kind))
          .map((symbols) => (compared ? { ...symbols, side: "a" as const } : symbols)),
        ...(compared?.field && !isDifference ? symbolsOfSide(compared.field, overlays) : []),
        ...lines.flatMap(({ variable, pair }) =>
          pair && variable !== drawn && sameTime && !isDifference
            ? [{ kind: "isolines" as const, variable, pair }]
            : [],
        ),
      ],
      overlays,
      tiles,
      projection,
      theme,
      storms,
      ship,
      tides,
      sample,
      route,
      plan,
      area,
    }),
    [
      pair,
      drawn,
      old,
      compared,
      isDifference,
      sameTime,
      awaited,
      relief.pair,
      lines,
      overlays,
      tiles,
      projection,
      theme,
      storms,
      ship,
      tides,
      sample,
      route,
      plan,
      area,
    ],
  );
}

/** The chosen tiles of other services at the time of the map; the same list while nothing of it changes. */
function useDrawnTiles(): readonly DrawnTiles[] {
  const offered = useTileOverlays();
  const { x: chosen } = useView("x");
  const zone = useZone();
  const { time, now } = useClock("time", "now");
  const tiles = chosen.flatMap((id) => {
    const overlay = offered.find((one) => one.id === id);
    return (overlay && drawnTiles(overlay, time, now, zone)) ?? [];
  });
  const text = JSON.stringify(tiles);
  return useMemo(() => JSON.parse(text) as readonly DrawnTiles[], [text]);
}

/** The second picture, or the difference; undefined while a difference is read, because A is then drawn alone. */
function sceneOf({ wanted, pair, drawn, difference, old, divider }: CompareState): ComparedScene | undefined {
  if (wanted.difference) {
    if (!difference) return undefined;
    const { variable, base } = difference;
    return { field: { variable, pair: difference.pair, old }, base, divider };
  }
  return { field: pair && drawn && { variable: drawn, pair, old }, divider };
}

const isCut = (kind: SymbolKind) => kind === "barbs" || kind === "arrows";

function symbolsOfSide({ variable, pair }: SceneField, overlays: readonly Overlay[]): SceneSymbols[] {
  return symbolsOf(variable, overlays)
    .filter(isCut)
    .map((kind) => ({ kind, variable: layerOf(variable), pair, side: "b" }));
}

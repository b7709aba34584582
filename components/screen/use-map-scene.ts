import { useMemo } from "react";
import type { SceneRoute } from "#components/map/scene.ts";
import { useStorms } from "#components/storms/storms-context.tsx";
import { symbolsOf } from "#components/view-state/overlays.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { MapScene } from "./map-with-storms.tsx";
import { useScreen } from "./screen-context.tsx";

/** What the map draws, with the points of a task: a new object only when something in it changed. */
export function useMapScene(route: SceneRoute | undefined): MapScene {
  const { view, theme = "light" } = useView();
  const { pair, drawn, old, relief, lines, loading, deferredStarted } = useScreen();
  const { scene: storms } = useStorms();
  const awaited = loading && !deferredStarted;
  const { o: overlays, proj: projection, p: sample } = view;
  return useMemo(
    () => ({
      field: pair && drawn && { variable: drawn, pair, old },
      awaited,
      relief: relief.pair,
      symbols: [
        ...(pair && drawn ? symbolsOf(drawn, overlays).map((kind) => ({ kind, variable: drawn, pair })) : []),
        ...lines.flatMap(({ variable, pair }) =>
          pair && variable !== drawn ? [{ kind: "isolines" as const, variable, pair }] : [],
        ),
      ],
      overlays,
      projection,
      theme,
      storms,
      sample,
      route,
    }),
    [pair, drawn, old, awaited, relief.pair, lines, overlays, projection, theme, storms, sample, route],
  );
}

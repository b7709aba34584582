import { useMemo } from "react";
import type { SceneRoute } from "#components/map/scene.ts";
import { useStorms } from "#components/storms/storms-context.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { useDataUse } from "#components/view-state/data-use.ts";
import { symbolsOf } from "#components/view-state/overlays.ts";
import { useShip } from "#components/view-state/ship-store.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { MapScene } from "./map-with-storms.tsx";
import { useScreen } from "./screen-context.tsx";
import { usePlanScene } from "./use-plan-map.ts";

/** What the map draws, with the points of a task: a new object only when something in it changed. */
export function useMapScene(route: SceneRoute | undefined): MapScene {
  const { view, theme = "light", zone } = useView();
  const { pair, drawn, old, relief, lines, loading, deferredStarted } = useScreen();
  const { scene: storms } = useStorms();
  const { ship: fix } = useShip();
  const { drawn: shown } = useClock();
  const ship = useMemo(
    () => (fix && shown !== undefined ? { fix, time: shown, zone } : undefined),
    [fix, shown, zone],
  );
  const plan = usePlanScene();
  const awaited = loading && !deferredStarted;
  const { o: chosen, proj: projection, p: sample } = view;
  // Particles cost no data but power, which is as scarce where data is.
  const light = useDataUse() === "light";
  const overlays = useMemo(
    () => (light ? chosen.filter((name) => name !== "particles") : chosen),
    [light, chosen],
  );
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
      ship,
      sample,
      route,
      plan,
    }),
    [
      pair,
      drawn,
      old,
      awaited,
      relief.pair,
      lines,
      overlays,
      projection,
      theme,
      storms,
      ship,
      sample,
      route,
      plan,
    ],
  );
}

import type { RefObject } from "react";
import type { OpenMap } from "#components/map/open-map.ts";
import { layers, paintedBy, readingOf } from "#components/view-state/layers.ts";
import { linesOverlay, toggled } from "#components/view-state/overlays.ts";
import { nearestIndex } from "#components/view-state/timeline.ts";
import type { ChangeView, Place, View } from "#components/view-state/view-url.ts";
import { paintedOutput } from "#lib/catalog/colours.ts";
import { DAY_S } from "#lib/time.ts";
import { quantityOf, unitName, unitsOf } from "#lib/units.ts";
import { actOnKey, type MapActions } from "./map-keys.ts";
import { POSITION_FIELD } from "./position-search.tsx";
import { useSingleKeys } from "./single-keys.ts";
import type { Weather } from "./use-weather.ts";

interface Needs {
  view: View;
  change(to: Parameters<ChangeView>[0]): unknown;
  weather: Weather;
  controls: RefObject<OpenMap | undefined>;
  sample(place: Place): void;
  onPlay(): void;
  onHelp(): void;
  onStorms(): void;
  onNextStorm(): void;
}

/** What keys do on the map, as its `onKey` wants it. */
export function useMapActions(needs: Needs) {
  const { view, change, weather, controls, sample } = needs;
  const singleKeys = useSingleKeys();
  const { instants, now } = weather;
  const time = weather.time ?? now;
  const goTo = (index: number) => {
    const instant = instants[index];
    if (instant !== undefined) change({ t: instant });
  };
  const actions: MapActions = {
    sample: () => sample(controls.current?.centre() ?? view.c),
    step: (by) => goTo(nearestIndex(instants, time) + by),
    day: (by) => goTo(nearestIndex(instants, time + by * DAY_S)),
    now: () => goTo(nearestIndex(instants, now)),
    play: needs.onPlay,
    layer: (place) => {
      const name = layers.first[place - 1];
      if (name) change({ l: name });
    },
    lines: (of) => change({ o: toggled(view.o, linesOverlay(of, view.l)) }),
    find: () => document.getElementById(POSITION_FIELD)?.focus(),
    unit: () => {
      const layer = paintedBy(view.l);
      const quantity = layer && quantityOf(paintedOutput(layer).unit);
      if (!quantity) return;
      const reading = readingOf(layer);
      const names = Object.keys(unitsOf(quantity, reading));
      const next = names[(names.indexOf(unitName(quantity, view.u, reading)) + 1) % names.length];
      change({ u: { ...view.u, [quantity]: next } });
    },
    help: needs.onHelp,
    storms: needs.onStorms,
    nextStorm: needs.onNextStorm,
    tasks: () => window.location.assign("/tasks"),
  };
  return (event: KeyboardEvent) => actOnKey(event, actions, singleKeys);
}

import { use } from "react";
import { useStormsState } from "#components/storms/storms-context.tsx";
import { ClockContext } from "#components/view-state/clock-context.ts";
import { firstCompared } from "#components/view-state/compared.ts";
import { layers, linesOverlay, paintedBy, readingOf, toggled } from "#components/view-state/overlays.ts";
import { cancelPick, takePlace } from "#components/view-state/place-pick.ts";
import { endMeasuring, measureTo } from "#components/view-state/plan.ts";
import { stepBeside } from "#components/view-state/time-window.ts";
import { nearestIndex } from "#components/view-state/timeline.ts";
import { useChangeView, useView, useViewState } from "#components/view-state/view-context.tsx";
import { layerOf, paintedUnit } from "#lib/catalog/painted.ts";
import { DAY_S } from "#lib/time.ts";
import { quantityOf, unitName, unitNames } from "#lib/units.ts";
import { actOnKey, type MapActions, useSingleKeys } from "./map-keys.ts";
import { focusSearch } from "./position-search.tsx";
import { useScreen, useWeather } from "./screen-context.tsx";
import { areaDrawing } from "./use-download.ts";
import { useNavigation } from "./use-navigation.ts";
import { usePlanDrawing } from "./use-plan-map.ts";

/** Position of the map's centre, as a share of its width. */
const MIDDLE = 0.5;

/** The map's key handler; it returns true for a key that it handled. */
export function useMapKeys(): (event: KeyboardEvent) => boolean {
  const view = useViewState();
  const changeView = useChangeView();
  const clock = use(ClockContext);
  const { map, overlays, playback, weather } = useScreen();
  const { sample, openStorm, showShip, showTab, focusPanel } = useNavigation();
  const storms = useStormsState();
  const compare = useCompareSwitch();
  const drawing = usePlanDrawing();
  const singleKeys = useSingleKeys();
  const goTo = (instant: number | undefined) => {
    if (instant !== undefined) clock.current().setTime(instant);
  };
  const step = (by: 1 | -1) => {
    const { instants, now, time = now, stepHours } = clock.current();
    goTo(stepBeside(instants, time, by, stepHours));
  };
  const goDays = (by: number) => {
    const { instants, now, time = now } = clock.current();
    goTo(instants[nearestIndex(instants, time + by * DAY_S)]);
  };
  const actions: MapActions = {
    sample: () => {
      const centre = map.current?.centre() ?? view.current().c;
      // If the divider crosses the centre, the chosen side stays.
      const divider = weather.current().compare?.divider.at ?? MIDDLE;
      const side = divider === MIDDLE ? undefined : divider < MIDDLE ? "b" : "a";
      if (
        !takePlace(centre) &&
        !measureTo(centre, true) &&
        !areaDrawing.click(centre) &&
        !drawing.click(centre)
      )
        sample(centre, { side });
    },
    step: (by) => (storms.current().film ?? { step }).step(by < 0 ? -1 : 1),
    day: (by) => {
      const { film } = storms.current();
      if (film) film.seek(film.clock.time + by * DAY_S);
      else goDays(by);
    },
    now: () => goTo(clock.current().present),
    // A film has its own time.
    pickTime: () => overlays.change({ dialog: storms.current().film ? undefined : "time" }),
    play: () => (storms.current().film ?? playback.current()).toggle(),
    layer: (place) => {
      const name = layers.first[place - 1];
      if (name) changeView({ l: name });
    },
    lines: (of) => {
      const { l: layer, o: overlays } = view.current();
      const overlay = linesOverlay(of, layer);
      if (overlay) changeView({ o: toggled(overlays, overlay) });
    },
    compare: compare.toggle,
    find: focusSearch,
    unit: () => {
      const { l, u: units } = view.current();
      const layer = paintedBy(l);
      const quantity = layer && quantityOf(paintedUnit(layer));
      if (!quantity) return;
      const reading = readingOf(layer);
      const names = unitNames(quantity, reading);
      const next = names[(names.indexOf(unitName(quantity, units, reading)) + 1) % names.length];
      changeView({ u: { ...units, [quantity]: next } });
    },
    help: () => overlays.change({ dialog: "keys" }),
    storms: () => showTab("storms"),
    nextStorm: () => {
      const { entries } = storms.current();
      const { storm } = view.current();
      const next = entries[(entries.findIndex(({ id }) => id === storm) + 1) % entries.length];
      if (next) openStorm(next.id);
    },
    ship: () => {
      // The form is used by keyboard, so it gets the focus.
      if (!showShip()) focusPanel();
    },
    passage: () => showTab("passage"),
    download: () => showTab("download"),
    tasks: () => window.location.assign("/tasks"),
  };
  /** Opens the menu at the cross, in place of the browser's own. */
  const openMenu = (event: KeyboardEvent) => {
    if (event.key !== "ContextMenu" && !(event.key === "F10" && event.shiftKey)) return false;
    const { clientWidth = 0, clientHeight = 0 } = (event.target as Element | null) ?? {};
    const place = map.current?.centre() ?? view.current().c;
    overlays.change({ menu: { place, x: clientWidth / 2, y: clientHeight / 2 } });
    return true;
  };
  return (event) =>
    (event.key === "Escape" && (cancelPick() || endMeasuring())) ||
    openMenu(event) ||
    areaDrawing.key(event) ||
    drawing.key(event) ||
    actOnKey(event, actions, singleKeys);
}

/**
 * Switches between two pictures side by side and one. It is not offered on the plain map, nor in a film,
 * which has its own time.
 */
export function useCompareSwitch() {
  const view = useView("l", "storm", "film", "cmp");
  const changeView = useChangeView();
  const { fixed } = useWeather("fixed");
  const layer = paintedBy(view.l);
  const offered = layer !== undefined && (view.storm === null || view.film === null);
  return {
    offered,
    isOn: view.cmp !== null && offered,
    toggle() {
      if (offered) changeView({ cmp: view.cmp ? null : firstCompared(layerOf(layer), fixed) });
    },
  };
}

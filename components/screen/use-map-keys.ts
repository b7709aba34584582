import { useStorms } from "#components/storms/storms-context.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { firstCompared } from "#components/view-state/compared.ts";
import { layers, linesOverlay, paintedBy, readingOf, toggled } from "#components/view-state/overlays.ts";
import { cancelPick, takePlace } from "#components/view-state/place-pick.ts";
import { endMeasuring, measureTo } from "#components/view-state/plan.ts";
import { stepBeside } from "#components/view-state/time-window.ts";
import { nearestIndex } from "#components/view-state/timeline.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { paintedOutput } from "#lib/catalog/colours.ts";
import { DAY_S } from "#lib/time.ts";
import { quantityOf, unitName, unitNames } from "#lib/units.ts";
import { actOnKey, type MapActions, useSingleKeys } from "./map-keys.ts";
import { focusSearch } from "./position-search.tsx";
import { useScreen } from "./screen-context.tsx";
import { useAreaDrawing } from "./use-download.ts";
import { useNavigation } from "./use-navigation.ts";
import { usePlanDrawing } from "./use-plan-map.ts";

/** Position of the map's centre, as a share of its width. */
const MIDDLE = 0.5;

/** The map's key handler; it returns true for a key that it handled. */
export function useMapKeys(): (event: KeyboardEvent) => boolean {
  const { view, changeView } = useView();
  const { now, instants, present, stepHours, setTime, ...clock } = useClock();
  const { compare: compared, map, playback, setDialog, setMenu, focusPanel } = useScreen();
  const { sample, openStorm, showShip, showTab } = useNavigation();
  const { entries, film } = useStorms();
  const compare = useCompareSwitch();
  const drawing = usePlanDrawing();
  const area = useAreaDrawing();
  const singleKeys = useSingleKeys();
  const time = clock.time ?? now;
  const goTo = (instant: number | undefined) => {
    if (instant !== undefined) setTime(instant);
  };
  const actions: MapActions = {
    sample: () => {
      const centre = map.current?.centre() ?? view.c;
      // If the divider crosses the centre, the chosen side stays.
      const divider = compared?.divider.at ?? MIDDLE;
      const side = divider === MIDDLE ? undefined : divider < MIDDLE ? "b" : "a";
      if (!takePlace(centre) && !measureTo(centre, true) && !area.click(centre) && !drawing.click(centre))
        sample(centre, { side });
    },
    step: (by) =>
      film ? film.step(by < 0 ? -1 : 1) : goTo(stepBeside(instants, time, by < 0 ? -1 : 1, stepHours)),
    day: (by) =>
      film
        ? film.seek(film.clock.time + by * DAY_S)
        : goTo(instants[nearestIndex(instants, time + by * DAY_S)]),
    now: () => goTo(present),
    // A film has its own time.
    pickTime: () => setDialog(film ? undefined : "time"),
    play: film ? film.toggle : playback.toggle,
    layer: (place) => {
      const name = layers.first[place - 1];
      if (name) changeView({ l: name });
    },
    lines: (of) => {
      const overlay = linesOverlay(of, view.l);
      if (overlay) changeView({ o: toggled(view.o, overlay) });
    },
    compare: compare.toggle,
    find: focusSearch,
    unit: () => {
      const layer = paintedBy(view.l);
      const quantity = layer && quantityOf(paintedOutput(layer).unit);
      if (!quantity) return;
      const reading = readingOf(layer);
      const names = unitNames(quantity, reading);
      const next = names[(names.indexOf(unitName(quantity, view.u, reading)) + 1) % names.length];
      changeView({ u: { ...view.u, [quantity]: next } });
    },
    help: () => setDialog("keys"),
    storms: () => showTab("storms"),
    nextStorm: () => {
      const next = entries[(entries.findIndex(({ id }) => id === view.storm) + 1) % entries.length];
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
    setMenu({ place: map.current?.centre() ?? view.c, x: clientWidth / 2, y: clientHeight / 2 });
    return true;
  };
  return (event) =>
    (event.key === "Escape" && (cancelPick() || endMeasuring())) ||
    openMenu(event) ||
    area.key(event) ||
    drawing.key(event) ||
    actOnKey(event, actions, singleKeys);
}

/**
 * Switches between two pictures side by side and one. It is not offered on the plain map, nor in a film,
 * which has its own time.
 */
export function useCompareSwitch() {
  const { view, changeView } = useView();
  const { fixed } = useScreen();
  const layer = paintedBy(view.l);
  const offered = layer !== undefined && (view.storm === null || view.film === null);
  return {
    offered,
    isOn: view.cmp !== null && offered,
    toggle() {
      if (offered) changeView({ cmp: view.cmp ? null : firstCompared(layer, fixed) });
    },
  };
}

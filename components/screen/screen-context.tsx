import {
  createContext,
  type ReactNode,
  type RefObject,
  use,
  useCallback,
  useEffect,
  useMemo,
  useRef,
  useState,
} from "react";
import { useApiKey } from "#components/api-client/api-key.tsx";
import type { MapControls } from "#components/map/open-map.ts";
import { StormsProvider } from "#components/storms/storms-context.tsx";
import { useTideStations } from "#components/tides/tide-scene.ts";
import type { PanelStop } from "#components/ui/panel.tsx";
import { type Clock, ClockContext } from "#components/view-state/clock-context.ts";
import { dwellMs, speedSetting, useDataUse, useStepHours } from "#components/view-state/device-setting.ts";
import {
  type Selectable,
  type SharedState,
  sharedState,
  usePublished,
} from "#components/view-state/shared-state.ts";
import { stepBeside } from "#components/view-state/time-window.ts";
import { useChangeView, useRenderedView, useView } from "#components/view-state/view-context.tsx";
import { type DetailsTab, type Place, readView } from "#components/view-state/view-url.ts";
import type { TidesNow } from "#lib/contract/tides.ts";
import { shownTab } from "./details-tab.ts";
import { type CompareState, isOneTime, useCompare } from "./use-compare.ts";
import { useWeatherQuery, type WeatherAnswer } from "./use-weather-query.ts";

/** A place on the map and its position on the canvas, pixels. */
export interface MenuPlace {
  place: Place;
  x: number;
  y: number;
}

/** The map's pictures, and the state of their loading. */
export interface Weather extends WeatherAnswer {
  /** The second picture; undefined if a single picture is shown. */
  compare: CompareState | undefined;
  /** The first field is drawn or no longer waited for, so conditions and storms may be requested. */
  deferredStarted: boolean;
  /** A field is drawn. */
  isDrawn: boolean;
  /** The time of the map is not known yet but will be. */
  isTimeAwaited: boolean;
  /** Tide stations in view; undefined if none are drawn. */
  stations: TidesNow | undefined;
}

interface PanelState {
  /** On wide screens, whether the panel is open or folded away. */
  open: boolean;
  /** Height of the panel on a phone. */
  stop: PanelStop;
  /** Number of requests to focus the content of the panel. */
  asked: number;
}

/** The dialog and the menu over the map. */
interface Overlays {
  /** The open dialog: keys of the map, list of the values in view, or date and time. */
  dialog: "keys" | "values" | "time" | undefined;
  /** Where the map's menu is open. */
  menu: MenuPlace | undefined;
  /** Ids of the tiles of other services that cannot be read. */
  silent: readonly string[];
}

/** View of the map, and the number of times that the user had moved it. */
interface Camera {
  centre: Place;
  zoom: number;
  moves: number;
}

/** State of the map page that is not part of its link, by concern. None of these objects is ever replaced. */
interface Screen {
  weather: Selectable<Weather>;
  playback: Selectable<Playback>;
  panel: SharedState<PanelState>;
  overlays: SharedState<Overlays>;
  /** The open map, for commands; what it draws is its scene. */
  map: RefObject<MapControls | undefined>;
  /** View of the map before the card of a storm was opened. */
  former: RefObject<Camera | undefined>;
  startDeferred(): void;
}

/** Longest time that deferred requests wait for the first field on a slow connection, ms. */
const MAX_DEFERRAL_MS = 5000;

const ScreenContext = createContext<Screen | undefined>(undefined);

/** Requests what the view shows, once for all components below. */
export function ScreenProvider({ children }: { children: ReactNode }) {
  const view = useRenderedView();
  const changeView = useChangeView();
  const [filmPlaying, setFilmPlaying] = useState(false);
  const film = useMemo(() => ({ playing: filmPlaying, setPlaying: setFilmPlaying }), [filmPlaying]);
  const stepHours = useStepHours();
  const [playWanted, setPlayWanted] = useState(false);
  const stepping = { stepHours, isPlaying: playWanted && view.film === null };
  const key = useApiKey();
  const answer = useWeatherQuery(key, view, filmPlaying, stepping);
  const compare = useCompare(key, view, answer, view.storm !== null && view.film !== null);
  const { now, answered, time, drawnTime, instants, present, window, segments, settled } = answer;
  // The map has a single time, so setting another one ends a film.
  const setTime = useCallback((t: number) => changeView({ t, film: null }), [changeView]);
  const clock = usePublished<Clock>({
    now,
    answered,
    time,
    drawn: drawnTime,
    instants,
    present,
    window,
    segments,
    stepHours,
    setTime,
  });
  const play = usePlay({
    wanted: playWanted,
    setWanted: setPlayWanted,
    settled,
    failed: answer.error !== undefined,
    isReading: answer.loading && view.film === null,
    next: time === undefined || view.film !== null ? undefined : stepBeside(instants, time, 1, stepHours),
    dwell: dwellMs[speedSetting.use()],
    setTime,
  });
  const [deferredStarted, setDeferredStarted] = useState(false);
  const startDeferred = useCallback(() => setDeferredStarted(true), []);
  useEffect(() => {
    const timer = setTimeout(startDeferred, MAX_DEFERRAL_MS);
    return () => clearTimeout(timer);
  }, [startDeferred]);
  const map = useRef<MapControls>(undefined);
  // On Back and Forward the map moves to its former place; the rest of the view follows the address
  // automatically.
  useEffect(() => {
    const follow = () => {
      const { c, z } = readView(globalThis.location.search);
      map.current?.goTo(c, z);
    };
    globalThis.addEventListener("popstate", follow);
    return () => globalThis.removeEventListener("popstate", follow);
  }, []);
  const stations = useTideStations({
    apiKey: key,
    box: answer.box,
    zoom: view.z,
    time:
      deferredStarted && view.o.includes("tides") && isOneTime(drawnTime, compare) ? drawnTime : undefined,
    isPlaying: play.playing,
    isLight: useDataUse() === "light",
  });
  const { retry: retryWeather } = answer;
  const retryCompared = compare?.retry;
  const retry = useCallback(() => {
    retryWeather();
    retryCompared?.();
  }, [retryWeather, retryCompared]);
  const weather = usePublished<Weather>({
    ...answer,
    retry,
    compare,
    deferredStarted,
    isDrawn: answer.pair !== undefined,
    isTimeAwaited: answer.loading && time === undefined,
    stations,
  });
  const playback = usePublished<Playback>({ ...play, filmPlaying });
  const former = useRef<Camera>(undefined);
  // Each page, and each request on the server, has stores of its own.
  const [{ panel, overlays }] = useState(() => ({
    panel: sharedState<PanelState>({ open: true, stop: "low", asked: 0 }),
    overlays: sharedState<Overlays>({ dialog: undefined, menu: undefined, silent: [] }),
  }));
  const screen = useMemo<Screen>(
    () => ({ weather, playback, panel, overlays, map, former, startDeferred }),
    [weather, playback, panel, overlays, startDeferred],
  );
  return (
    <ClockContext value={clock}>
      {/* A storm is drawn at its position at the time of the field below it. */}
      <StormsProvider enabled={deferredStarted} time={drawnTime ?? time} playback={film}>
        <ScreenContext value={screen}>{children}</ScreenContext>
      </StormsProvider>
    </ClockContext>
  );
}

/** Stores and commands of the map page. */
export function useScreen(): Screen {
  const screen = use(ScreenContext);
  if (!screen) throw new Error("useScreen needs a ScreenProvider above it");
  return screen;
}

/** Fields of what the map shows. */
export function useWeather<Name extends keyof Weather>(...names: Name[]): Pick<Weather, Name> {
  return useScreen().weather.use(...names);
}

/** The displayed tab of the panel. */
export function useTab(): DetailsTab {
  return shownTab(useView("tab", "storm", "tide", "plan"));
}

interface Play {
  playing: boolean;
  toggle(): void;
}

interface Playback extends Play {
  /** The film of a storm is playing; no field is drawn in the meantime. */
  filmPlaying: boolean;
}

interface Steps {
  wanted: boolean;
  setWanted(wanted: boolean): void;
  /** The current step is drawn. */
  settled: boolean;
  /** The current step cannot be drawn. */
  failed: boolean;
  /** The step is being read. While that lasts, the instants of another layer may be unknown. */
  isReading: boolean;
  /** The following instant, Unix seconds; undefined at the end. */
  next: number | undefined;
  /** Minimum dwell on a step, ms. */
  dwell: number;
  setTime(time: number): void;
}

/**
 * Steps through time while playing, as fast as steps are drawn but not faster than the dwell, until the last
 * one.
 */
function usePlay({ wanted, setWanted, settled, failed, isReading, next, dwell, setTime }: Steps): Play {
  const playing = wanted && (next !== undefined || isReading);
  useEffect(() => {
    if (!playing || !settled || next === undefined) return;
    const timer = setTimeout(() => setTime(next), dwell);
    return () => clearTimeout(timer);
  }, [playing, settled, next, dwell, setTime]);
  if (wanted && (!playing || failed)) setWanted(false);
  return useMemo(() => ({ playing, toggle: () => setWanted(!playing) }), [playing, setWanted]);
}

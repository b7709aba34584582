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
import type { PanelStop } from "#components/ui/panel.tsx";
import { ClockContext } from "#components/view-state/clock-context.ts";
import { dwellMs, speedSetting, useStepHours } from "#components/view-state/device-setting.ts";
import { stepBeside } from "#components/view-state/time-window.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { type DetailsTab, type Place, readView } from "#components/view-state/view-url.ts";
import { shownTab, tabParameter } from "./details-tab.ts";
import { type CompareState, useCompare } from "./use-compare.ts";
import { useWeatherQuery, type WeatherAnswer } from "./use-weather-query.ts";

/** A place on the map and its position on the canvas, pixels. */
export interface MenuPlace {
  place: Place;
  x: number;
  y: number;
}

/** The weather of the view, and the state of the map page that is not part of its link. */
export interface ScreenState extends WeatherAnswer {
  /** The second picture; undefined if a single picture is shown. */
  compare: CompareState | undefined;
  /** The open map, for commands; what it draws is its scene. */
  map: RefObject<MapControls | undefined>;
  /** The first field is drawn or no longer waited for, so conditions and storms may be requested. */
  deferredStarted: boolean;
  startDeferred(): void;
  playback: Playback;
  /** The film of a storm is playing; no field is drawn in the meantime. */
  filmPlaying: boolean;
  tab: DetailsTab;
  /** Shows another tab; the browser's Back returns to the previous one. */
  setTab(tab: DetailsTab): void;
  /** Moves the focus to the content of the panel. */
  focusPanel(): void;
  /** Number of requests to focus the panel. */
  panelAsked: number;
  panelOpen: boolean;
  setPanelOpen(open: boolean): void;
  /** Height of the panel on a phone. */
  panelStop: PanelStop;
  setPanelStop(stop: PanelStop): void;
  /** The open dialog over the map. */
  dialog: ScreenDialog | undefined;
  setDialog(dialog: ScreenDialog | undefined): void;
  /** Where the map's menu is open. */
  menu: MenuPlace | undefined;
  setMenu(menu: MenuPlace | undefined): void;
}

/** `keys`: keys of the map; `values`: list of the values in view; `time`: date and time. */
type ScreenDialog = "keys" | "values" | "time";

/** Longest time that deferred requests wait for the first field on a slow connection, ms. */
const MAX_DEFERRAL_MS = 5000;

const ScreenContext = createContext<ScreenState | undefined>(undefined);

/** Requests what the view shows, once for all components below. */
export function ScreenProvider({ children }: { children: ReactNode }) {
  const { view, changeView } = useView();
  const [filmPlaying, setFilmPlaying] = useState(false);
  const film = useMemo(() => ({ playing: filmPlaying, setPlaying: setFilmPlaying }), [filmPlaying]);
  const stepHours = useStepHours();
  const [playWanted, setPlayWanted] = useState(false);
  const stepping = { stepHours, isPlaying: playWanted && view.film === null };
  const key = useApiKey();
  const weather = useWeatherQuery(key, view, filmPlaying, stepping);
  const compare = useCompare(key, view, weather, view.storm !== null && view.film !== null);
  const { now, answered, time, drawnTime, instants, present, window, segments, settled } = weather;
  // The map has a single time, so setting another one ends a film.
  const setTime = useCallback((t: number) => changeView({ t, film: null }), [changeView]);
  const clock = useMemo(
    () => ({
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
    }),
    [now, answered, time, drawnTime, instants, present, window, segments, stepHours, setTime],
  );
  const playback = usePlay({
    wanted: playWanted,
    setWanted: setPlayWanted,
    settled,
    failed: weather.error !== undefined,
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
  const tab = shownTab(view);
  const setTab = (next: DetailsTab) => {
    if (next !== tab) changeView({ tab: tabParameter(next, view) }, "push");
  };
  const [panelAsked, setPanelAsked] = useState(0);
  const focusPanel = () => setPanelAsked((times) => times + 1);
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
  const [panelOpen, setPanelOpen] = useState(true);
  const [panelStop, setPanelStop] = useState<PanelStop>("low");
  const [dialog, setDialog] = useState<ScreenDialog>();
  const [menu, setMenu] = useState<MenuPlace>();
  const sheet = { tab, setTab, focusPanel, panelAsked, panelOpen, setPanelOpen, panelStop, setPanelStop };
  const overlays = { dialog, setDialog, menu, setMenu };
  return (
    <ClockContext value={clock}>
      <StormsProvider enabled={deferredStarted} playback={film}>
        <ScreenContext
          value={{
            ...weather,
            compare,
            ...sheet,
            ...overlays,
            filmPlaying,
            map,
            playback,
            deferredStarted,
            startDeferred,
          }}
        >
          {children}
        </ScreenContext>
      </StormsProvider>
    </ClockContext>
  );
}

export function useScreen(): ScreenState {
  const state = use(ScreenContext);
  if (!state) throw new Error("useScreen needs a ScreenProvider above it");
  return state;
}

interface Playback {
  playing: boolean;
  toggle(): void;
}

interface Play {
  wanted: boolean;
  setWanted(wanted: boolean): void;
  /** The current step is drawn. */
  settled: boolean;
  /** The current step cannot be drawn. */
  failed: boolean;
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
function usePlay({ wanted, setWanted, settled, failed, next, dwell, setTime }: Play): Playback {
  const playing = wanted && next !== undefined;
  useEffect(() => {
    if (!playing || !settled || next === undefined) return;
    const timer = setTimeout(() => setTime(next), dwell);
    return () => clearTimeout(timer);
  }, [playing, settled, next, dwell, setTime]);
  useEffect(() => {
    if (next === undefined || failed) setWanted(false);
  }, [next, failed, setWanted]);
  return useMemo(() => ({ playing, toggle: () => setWanted(!playing) }), [playing, setWanted]);
}

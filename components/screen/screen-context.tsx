import { createContext, type ReactNode, type RefObject, use, useMemo, useRef, useState } from "react";
import type { OpenMap } from "#components/map/open-map.ts";
import { StormsProvider } from "#components/storms/storms-context.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { nearestIndex } from "#components/view-state/timeline.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { Place } from "#components/view-state/view-url.ts";
import { type Playback, usePlay } from "./use-play.ts";
import { useWeather } from "./weather-context.tsx";

export type DetailsTab = "point" | "storms";

/** State of the map page that is not part of the link. */
export interface ScreenState {
  /** The open map, for commands; what it draws is its scene. */
  map: RefObject<Pick<OpenMap, "goTo" | "centre"> | undefined>;
  /** Receives the place under the cursor, past React: moving the cursor renders the readout alone. */
  hover: RefObject<((place: Place | undefined) => void) | undefined>;
  tab: DetailsTab;
  panelOpen: boolean;
  helpOpen: boolean;
  playback: Playback;
  setTab(tab: DetailsTab): void;
  setPanelOpen(open: boolean): void;
  setHelpOpen(open: boolean): void;
  /** Opens the panel at a tab. */
  openTab(tab: DetailsTab): void;
}

const ScreenContext = createContext<ScreenState | undefined>(undefined);

export function ScreenProvider({ children }: { children: ReactNode }) {
  const { view } = useView();
  const { settled, deferredStarted } = useWeather();
  const { time, instants, setTime } = useClock();
  const map = useRef<OpenMap>(undefined);
  const hover = useRef<(place: Place | undefined) => void>(undefined);
  const [tab, setTab] = useState<DetailsTab>(view.storm ? "storms" : "point");
  const [panelOpen, setPanelOpen] = useState(true);
  const [helpOpen, setHelpOpen] = useState(false);
  const next = time === undefined ? undefined : instants[nearestIndex(instants, time) + 1];
  const playback = usePlay(settled, next, setTime);
  const state = useMemo(
    () => ({
      map,
      hover,
      tab,
      panelOpen,
      helpOpen,
      playback,
      setTab,
      setPanelOpen,
      setHelpOpen,
      openTab(to: DetailsTab) {
        setTab(to);
        setPanelOpen(true);
      },
    }),
    [tab, panelOpen, helpOpen, playback],
  );
  return (
    <StormsProvider enabled={deferredStarted}>
      <ScreenContext value={state}>{children}</ScreenContext>
    </StormsProvider>
  );
}

export function useScreen(): ScreenState {
  const state = use(ScreenContext);
  if (!state) throw new Error("useScreen needs a ScreenProvider above it");
  return state;
}

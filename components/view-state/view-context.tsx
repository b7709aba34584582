import { createContext, type ReactNode, use, useCallback, useMemo } from "react";
import { useWords } from "#components/words/words-context.ts";
import type { LatePart } from "#lib/messages/words.ts";
import { type Zone, zoneOf } from "./civil.ts";
import type { Theme } from "./map-colours.ts";
import { toggled } from "./overlays.ts";
import { particlesChoice, useParticles } from "./particles.ts";
import { useShip } from "./ship-store.ts";
import { useTheme } from "./use-theme.ts";
import { type ChangeView, useViewUrl, type View } from "./view-url.ts";

interface ViewState {
  view: View;
  changeView: ChangeView;
  /** Theme in use; undefined until the page runs in a browser. */
  theme: Theme | undefined;
  /** Time zone in which times are written, with the words of the page. */
  zone: Zone;
}

const ViewContext = createContext<ViewState | undefined>(undefined);

export function ViewProvider({ children }: { children: ReactNode }) {
  const [linked, setView] = useViewUrl();
  const linksParticles = linked.o.includes("particles");
  const particles = useParticles(linksParticles);
  const view = useMemo(
    () => (particles === linksParticles ? linked : { ...linked, o: toggled(linked.o, "particles") }),
    [linked, particles, linksParticles],
  );
  const theme = useTheme(view.th);
  const { ship } = useShip();
  const { longitude } = ship ?? view.p ?? view.c;
  const words = useWords();
  const zone = useMemo(() => zoneOf(view.tz, longitude, words), [view.tz, longitude, words]);
  const changeView = useCallback<ChangeView>(
    (change, history = "replace") => {
      const { o } = change;
      const chosen = o?.includes("particles");
      if (o && chosen !== particles) particlesChoice.set(chosen ? "on" : "off");
      // Particles are a setting of the device, so links do not pass them on.
      const shared = o ? { ...change, o: o.filter((name) => name !== "particles") } : change;
      void setView(shared, { history });
    },
    [setView, particles],
  );
  const state = useMemo(() => ({ view, changeView, theme, zone }), [view, changeView, theme, zone]);
  return <ViewContext value={state}>{children}</ViewContext>;
}

export function useView(): ViewState {
  const state = use(ViewContext);
  if (!state) throw new Error("useView needs a ViewProvider above it");
  return state;
}

/** The time zone of the view with the words of late parts, as `useWords` provides them. */
export function useZone<P extends LatePart>(...parts: P[]): Zone<P> {
  const { zone } = useView();
  const words = useWords(...parts);
  return useMemo(() => ({ ...zone, words }), [zone, words]);
}

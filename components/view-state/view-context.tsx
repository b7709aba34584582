import { type Context, createContext, type ReactNode, use, useCallback, useMemo } from "react";
import { useWords } from "#components/words/words-context.ts";
import type { LatePart } from "#lib/messages/words.ts";
import { type Zone, zoneOf } from "./civil.ts";
import type { Theme } from "./map-colours.ts";
import { defaultOverlays, toggled } from "./overlays.ts";
import { particlesChoice, useParticles } from "./particles.ts";
import { type Selectable, usePublished } from "./shared-state.ts";
import { useShip } from "./ship-store.ts";
import { useTheme } from "./use-theme.ts";
import { type ChangeView, useViewUrl, type View } from "./view-url.ts";

interface ViewContext {
  view: Selectable<View>;
  changeView: ChangeView;
}

/** How the page presents what it shows. */
interface Presentation {
  /** Theme in use; undefined until the page runs in a browser. */
  theme: Theme | undefined;
  /** Time zone in which times are written, with the words of the page. */
  zone: Zone;
}

const ViewContext = createContext<ViewContext | undefined>(undefined);
const PresentationContext = createContext<Presentation | undefined>(undefined);
const RenderedViewContext = createContext<View | undefined>(undefined);

export function ViewProvider({ children }: { children: ReactNode }) {
  const [linked, setView] = useViewUrl();
  const usual = defaultOverlays(linked.z);
  const overlays = linked.o ?? usual;
  const linksParticles = overlays.includes("particles");
  const particles = useParticles(linksParticles);
  // The list is another one only if it changes, so that nothing that shows it renders again.
  const shown = useMemo(
    () => (particles === linksParticles ? overlays : toggled(overlays, "particles")),
    [overlays, particles, linksParticles],
  );
  const view = useMemo(() => ({ ...linked, o: shown }), [linked, shown]);
  const theme = useTheme(view.th);
  const { ship } = useShip();
  const { longitude } = ship ?? view.p ?? view.c;
  // Only the zone of the ship depends on where it is.
  const meridian = view.tz === "ship" ? longitude : 0;
  const words = useWords();
  const zone = useMemo(() => zoneOf(view.tz, meridian, words), [view.tz, meridian, words]);
  const changeView = useCallback<ChangeView>(
    (change, history = "replace") => {
      const { o } = change;
      const chosen = o?.includes("particles");
      if (o && chosen !== particles) particlesChoice.set(chosen ? "on" : "off");
      // Particles are a setting of the device, so links do not pass them on.
      const linkable = o?.filter((name) => name !== "particles");
      const isUsual = linkable?.join() === usual.join();
      void setView(linkable ? { ...change, o: isUsual ? null : linkable } : change, { history });
    },
    [setView, particles, usual],
  );
  const state = usePublished(view);
  const context = useMemo(() => ({ view: state, changeView }), [state, changeView]);
  const presentation = useMemo(() => ({ theme, zone }), [theme, zone]);
  return (
    <ViewContext value={context}>
      <PresentationContext value={presentation}>
        <RenderedViewContext value={view}>{children}</RenderedViewContext>
      </PresentationContext>
    </ViewContext>
  );
}

function provided<T>(context: Context<T | undefined>): T {
  const value = use(context);
  if (value === undefined) throw new Error("The view needs a ViewProvider above it");
  return value;
}

/** Fields of the view. */
export function useView<Name extends keyof View>(...names: Name[]): Pick<View, Name> {
  return useViewState().use(...names);
}

/** The view, for event handlers. */
export const useViewState = (): Selectable<View> => provided(ViewContext).view;

export const useChangeView = (): ChangeView => provided(ViewContext).changeView;

/**
 * The whole view, for providers that compute other state from it: they render together with the `ViewProvider`,
 * so that all their stores change at once.
 */
export const useRenderedView = (): View => provided(RenderedViewContext);

/** Theme in use; undefined until the page runs in a browser. */
export const useShownTheme = (): Theme | undefined => provided(PresentationContext).theme;

/**
 * Time zone in which times are written, with the words of the page and of late parts, as `useWords` provides
 * them.
 */
export function useZone<P extends LatePart = never>(...parts: P[]): Zone<P> {
  const { zone } = provided(PresentationContext);
  const words = useWords(...parts);
  return useMemo(() => ({ ...zone, words }), [zone, words]);
}

import type { StormEntry } from "@open-metocean/storms/schema";
import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useEffect, useMemo, useState } from "react";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { useStandingError } from "#components/api-client/standing-error.ts";
import { type Selectable, usePublished } from "#components/view-state/shared-state.ts";
import { useChangeView, useRenderedView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { type AreaOfInterest, areasOfInterest } from "./format-storm.ts";
import { outlooksQuery, stormHistoryQuery, stormsQuery } from "./storm-queries.ts";
import type { ComparedStorm, DrawnApproach, StormScene } from "./storm-shapes.ts";
import { type FilmPlayback, useStormFilm } from "./use-storm-film.ts";

const noStorms: readonly StormEntry[] = [];
const noAreas: readonly AreaOfInterest[] = [];

/** Form of storm ids, which differs from that of areas of interest. */
const STORM_ID = /^[A-Z]{2}\d{6}$/;

/** Id under which a linked storm is listed now; a linked invest may have become a storm since. */
function presentId(linked: string | null, entries: readonly StormEntry[]): string | null {
  if (linked === null || entries.some(({ id }) => id === linked)) return linked;
  // Some sources write these ids in lower case.
  const named = STORM_ID.test(linked.toUpperCase()) ? linked.toUpperCase() : linked;
  return entries.find(({ aliases }) => aliases?.includes(named))?.id ?? named;
}

/** Longest id of a link that is shown, characters. */
const MAX_ID = 40;

function useStormsOfView(enabled: boolean, time: number | undefined, playback: FilmPlayback) {
  const key = useApiKey();
  const view = useRenderedView();
  const changeView = useChangeView();
  const words = useWords();
  const query = useQuery({ ...stormsQuery(key ?? "", view.sp), enabled: key !== undefined && enabled });
  const { data, isPending, refetch } = query;
  // The error is reported at the first failure, not after the last retry, because a server without bulletins
  // asks to come back later.
  const standing = useStandingError(query);
  const error = query.failureReason ?? standing;
  const entries = useMemo(() => {
    const all = data?.entries ?? noStorms;
    return view.inv ? all : all.filter(({ is_invest }) => !is_invest);
  }, [data, view.inv]);
  const { data: outlooks, isLoading: areOutlooksAwaited } = useQuery({
    ...outlooksQuery(key ?? ""),
    // Outlooks are requested after the storms, because they would be missing for the same reason.
    enabled: key !== undefined && enabled && view.sp === "jtwc" && data !== undefined,
  });
  const areas = useMemo(
    () => (view.inv && view.sp === "jtwc" && outlooks ? areasOfInterest(outlooks) : noAreas),
    [outlooks, view.inv, view.sp],
  );
  const storm = useMemo(() => presentId(view.storm, data?.entries ?? noStorms), [view.storm, data]);
  useEffect(() => {
    if (storm !== view.storm) changeView({ storm });
  }, [storm, view.storm, changeView]);
  const id = storm !== null && STORM_ID.test(storm) ? storm : undefined;
  const listed = data?.entries.some((one) => one.id === id);
  const history = useQuery({
    ...stormHistoryQuery(key ?? "", view.sp, id ?? ""),
    // A storm that is no longer in the list is read from its bulletins.
    enabled: key !== undefined && id !== undefined && data !== undefined && (!listed || view.film !== null),
  });
  const bulletins = id === undefined ? undefined : history.data?.results;
  // A link to an invest opens the storm that it has become, even if neither is in the list any more.
  const continued = listed === false ? history.data?.continued_as : undefined;
  useEffect(() => {
    if (continued !== undefined) changeView({ storm: continued });
  }, [continued, changeView]);
  const last = bulletins?.at(-1)?.entry;
  const past = useMemo(() => (listed === false && last ? ended(last) : undefined), [listed, last]);
  // A link opens an invest even if the view hides invests.
  const selected = data?.entries.find((one) => one.id === storm) ?? past;
  const isArea = outlooks?.some(({ areas: all }) => all.some((area) => area.id === storm));
  const isOther = id === undefined && listed === false && !isArea && !areOutlooksAwaited;
  const isUnread = listed === false && history.error instanceof ServiceError && history.error.status === 404;
  const unknown = isOther ? storm?.slice(0, MAX_ID) : isUnread ? id : undefined;
  const { control, scene: film, open } = useStormFilm(bulletins, history.isError, playback);
  const { error: historyError, refetch: refetchHistory } = history;
  const [peer, showPeer] = useState<ComparedStorm>();
  const [approach, showApproach] = useState<DrawnApproach>();
  const inForce = useMemo(
    () => bulletins?.findLast(({ issued_at }) => issued_at <= (view.film ?? 0)) ?? bulletins?.[0],
    [bulletins, view.film],
  );
  const entry = view.film !== null && selected && inForce ? inForce.entry : selected;
  const scene = useMemo<StormScene | undefined>(() => {
    if (film) return { entries: [], selected: storm, time: 0, danger: null, boxes: false, film, words };
    return view.o.includes("storms") && time !== undefined
      ? {
          entries: past ? [...entries, past] : entries,
          selected: storm,
          time,
          danger: view.danger,
          boxes: view.o.includes("boxes"),
          areas,
          peer,
          approach,
          words,
        }
      : undefined;
  }, [view.o, entries, past, film, storm, time, view.danger, areas, peer, approach, words]);
  return useMemo(
    () => ({
      /** Storms of the provider, without those that the view hides. */
      entries,
      /** The storm whose details are open, in its newest bulletin. */
      selected,
      /** The same storm in the displayed bulletin; while a film is open, the one in force at its time. */
      entry,
      /** The film of the storm; undefined while none is open. */
      film: control,
      /** Opens the film of the selected storm. @param begins Unix seconds. */
      openFilm: open,
      /**
       * Id of the linked storm if it is neither in the list nor in stored bulletins, or is not a storm id.
       */
      unknown,
      /** Why the bulletins of the storm cannot be read. */
      filmError: historyError ?? undefined,
      retryFilm: () => void refetchHistory(),
      /** Draws the storm according to the other provider as well; undefined draws none. */
      showPeer,
      /** Draws the closest approach of a storm; undefined draws nothing. */
      showApproach,
      /** Areas where storms may form, most likely first; empty if the view hides them. */
      areas,
      /** The outlooks of these areas; undefined until they are read. */
      outlooks,
      /** undefined draws none. */
      scene,
      error,
      loading: key !== undefined && isPending,
      /** Age of the newest text of the provider's feed, seconds. */
      ageSeconds: data?.ageSeconds ?? 0,
      retry: () => void refetch(),
    }),
    [
      unknown,
      entries,
      selected,
      entry,
      control,
      open,
      historyError,
      refetchHistory,
      areas,
      outlooks,
      scene,
      error,
      key,
      isPending,
      data,
      refetch,
    ],
  );
}

/**
 * Turns the entry of a storm that is no longer listed into an ended one, because its last forecast is not in
 * force.
 */
function ended({ cone: _cone, ...entry }: StormEntry): StormEntry {
  return { ...entry, is_active: false, tracks: { observed: entry.tracks.observed } };
}

type Storms = ReturnType<typeof useStormsOfView>;

const StormsContext = createContext<Selectable<Storms> | undefined>(undefined);

interface ProviderProps {
  /** Nothing is requested while this is false; the first field takes precedence. */
  enabled: boolean;
  /** Time at whose positions storms are drawn, Unix seconds; undefined until it is known. */
  time: number | undefined;
  playback: FilmPlayback;
  children: ReactNode;
}

export function StormsProvider({ enabled, time, playback, children }: ProviderProps) {
  const storms = usePublished(useStormsOfView(enabled, time, playback));
  return <StormsContext value={storms}>{children}</StormsContext>;
}

/** The storms of the page, for event handlers. */
export function useStormsState(): Selectable<Storms> {
  const storms = use(StormsContext);
  if (!storms) throw new Error("useStorms needs a StormsProvider above it");
  return storms;
}

/** Fields of the storms of the page. */
export function useStorms<Name extends keyof Storms>(...names: Name[]): Pick<Storms, Name> {
  return useStormsState().use(...names);
}

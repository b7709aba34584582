import { useQuery } from "@tanstack/react-query";
import { createContext, type ReactNode, use, useMemo, useState } from "react";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { useClock } from "#components/view-state/clock-context.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { type AreaOfInterest, areasOfInterest } from "./format-area.ts";
import { outlooksQuery, stormsQuery } from "./storm-queries.ts";
import type { StormScene } from "./storm-shapes.ts";

const noStorms: readonly StormEntry[] = [];
const noAreas: readonly AreaOfInterest[] = [];

/** The storms of the view, and how they are drawn. */
function useStormsOfView(enabled: boolean) {
  const key = useApiKey();
  const { view } = useView();
  const { time } = useClock();
  const query = useQuery({ ...stormsQuery(key ?? "", view.sp), enabled: key !== undefined && enabled });
  const { data, isPending, refetch } = query;
  // Reported at the first failure, not after the last: a server without bulletins asks to come back later.
  const error = query.error ?? query.failureReason ?? undefined;
  const entries = useMemo(() => {
    const all = data?.entries ?? noStorms;
    return view.inv ? all : all.filter(({ is_invest }) => !is_invest);
  }, [data, view.inv]);
  const outlooks = useQuery({
    ...outlooksQuery(key ?? ""),
    // After the storms, whose absence would be the same.
    enabled: key !== undefined && enabled && view.sp === "jtwc" && data !== undefined,
  }).data;
  const areas = useMemo(
    () => (view.inv && view.sp === "jtwc" && outlooks ? areasOfInterest(outlooks) : noAreas),
    [outlooks, view.inv, view.sp],
  );
  const selected = entries.find(({ id }) => id === view.storm);
  const [past, showPast] = useState<StormEntry>();
  const entry =
    past && selected && past.id === selected.id && past.provider === selected.provider ? past : selected;
  const scene = useMemo<StormScene | undefined>(
    () =>
      view.o.includes("storms") && time !== undefined
        ? {
            entries: entries.map((one) => (one === selected && entry ? entry : one)),
            selected: view.storm,
            time,
            danger: view.danger,
            boxes: view.o.includes("boxes"),
            areas,
          }
        : undefined,
    [view.o, entries, selected, entry, view.storm, time, view.danger, areas],
  );
  return useMemo(
    () => ({
      /** Storms of the provider, without those the view hides. */
      entries,
      /** The storm whose details are open, in its newest bulletin. */
      selected,
      /** The same storm in the bulletin that is shown. */
      entry,
      /** Shows a past bulletin; undefined the newest one. */
      showPast,
      /** Where storms may form, the likeliest first; empty where the view hides them. */
      areas,
      /** The outlooks they are from; undefined until they are read. */
      outlooks,
      /** undefined draws none. */
      scene,
      error,
      loading: key !== undefined && isPending,
      /** Age of the newest text of the provider's feed, seconds. */
      ageSeconds: data?.ageSeconds ?? 0,
      retry: () => void refetch(),
    }),
    [entries, selected, entry, areas, outlooks, scene, error, key, isPending, data, refetch],
  );
}

const StormsContext = createContext<ReturnType<typeof useStormsOfView> | undefined>(undefined);

/** @param enabled Nothing is requested without: the first field goes first. */
export function StormsProvider({ enabled, children }: { enabled: boolean; children: ReactNode }) {
  return <StormsContext value={useStormsOfView(enabled)}>{children}</StormsContext>;
}

export function useStorms() {
  const storms = use(StormsContext);
  if (!storms) throw new Error("useStorms needs a StormsProvider above it");
  return storms;
}

import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import type { View } from "#components/view-state/view-url.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { stormsQuery } from "./storm-queries.ts";
import type { StormScene } from "./storm-shapes.ts";

const none: readonly StormEntry[] = [];

/**
 * The storms that the view shows, and how they are drawn.
 *
 * @param time Instant of the map, Unix seconds; undefined until it is known.
 * @param begin They are asked for from then on: the first field goes before them.
 */
export function useStorms(key: string | undefined, view: View, time: number | undefined, begin: boolean) {
  const query = useQuery({ ...stormsQuery(key ?? "", view.sp), enabled: key !== undefined && begin });
  const all = query.data?.entries ?? none;
  const entries = useMemo(
    () => (view.inv ? all : all.filter(({ is_invest }) => !is_invest)),
    [all, view.inv],
  );
  const selected = entries.find(({ id }) => id === view.storm);
  const [past, setPast] = useState<StormEntry>();
  /** The bulletin of the selected storm that is shown. */
  const entry =
    past && selected && past.id === selected.id && past.provider === selected.provider ? past : selected;
  const shown = view.o.includes("storms");
  const scene = useMemo<StormScene | undefined>(
    () =>
      shown && time !== undefined
        ? {
            entries: entries.map((one) => (one === selected && entry ? entry : one)),
            selected: view.storm,
            time,
            danger: view.danger,
            boxes: view.o.includes("boxes"),
          }
        : undefined,
    [shown, entries, selected, entry, view.storm, time, view.danger, view.o],
  );
  return {
    entries,
    selected,
    entry,
    showPast: setPast,
    scene,
    // Said at the first try, not when the last one failed too: the server asks to come back later.
    error: query.error ?? query.failureReason ?? undefined,
    loading: key !== undefined && query.isPending,
    ageSeconds: query.data?.ageSeconds ?? 0,
    retry: () => void query.refetch(),
  };
}

export type Storms = ReturnType<typeof useStorms>;

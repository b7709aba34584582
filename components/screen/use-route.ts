import { useQuery } from "@tanstack/react-query";
import { useMemo, useState } from "react";
import { useApiKey } from "#components/api-client/api-key.tsx";
import type { SceneRoute } from "#components/map/scene.ts";
import { taskPointsQuery } from "#components/tasks/task-points.ts";
import { useView } from "#components/view-state/view-context.tsx";

/** The points of the task of the link, and how they are drawn. @param enabled They may be requested: the first field goes first. */
export function useRoute(enabled: boolean) {
  const key = useApiKey();
  const { view } = useView();
  const { data, error } = useQuery({
    ...taskPointsQuery(key ?? "", view.task ?? ""),
    enabled: enabled && key !== undefined && view.task !== null,
  });
  // A link without a zoom asks for all points; one with a zoom shows what its sender saw.
  const [fit] = useState(() => typeof window !== "undefined" && !/[?&]z=/.test(window.location.search));
  const shown = view.task === null ? undefined : data;
  const route = useMemo<SceneRoute | undefined>(
    () =>
      shown && shown.points.length > 0 ? { points: shown.points, isRoute: shown.isRoute, fit } : undefined,
    [shown, fit],
  );
  return { route, shown, error: view.task === null ? null : error };
}

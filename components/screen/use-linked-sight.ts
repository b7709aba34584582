import { useCallback, useEffect, useRef } from "react";
import { POSITION_ZOOM } from "#components/fields/place-suggestions.ts";
import { useStorms } from "#components/storms/storms-context.tsx";
import { linkedSight } from "#components/view-state/first-view.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { Place } from "#components/view-state/view-url.ts";
import { useScreen } from "./screen-context.tsx";
import { useNavigation } from "./use-navigation.ts";

/**
 * Moves the map once to the storm, the area of interest or the tide station of a link that names no position, when it
 * has been read and unless the user has moved the map before.
 *
 * @returns Takes the position of the station.
 */
export function useLinkedSight(): (station: Place) => void {
  const { map } = useScreen();
  const { storm } = useView("storm");
  const { selected, areas } = useStorms("selected", "areas");
  const { showStorm, showArea, showPlace } = useNavigation();
  const awaited = useRef(typeof window === "undefined" ? undefined : linkedSight(window.location.search));
  const arrive = useCallback(
    (sight: typeof awaited.current, show: () => void) => {
      if (awaited.current !== sight) return;
      awaited.current = undefined;
      if (!map.current?.userMoves()) show();
    },
    [map],
  );
  useEffect(() => {
    const area = areas.find(({ id }) => id === storm);
    if (selected) arrive("storm", () => showStorm(selected));
    else if (area) arrive("storm", () => showArea(area));
  }, [selected, areas, storm, arrive, showStorm, showArea]);
  return useCallback(
    (station: Place) => arrive("tide", () => showPlace(station, POSITION_ZOOM)),
    [arrive, showPlace],
  );
}

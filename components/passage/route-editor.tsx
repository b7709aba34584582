import type { Place } from "#lib/geo/sphere.ts";
import { usePassageWords } from "./passage-words.ts";

export interface RouteEditorProps {
  /** Moves the map to a place. */
  onCentre(place: Place): void;
}

/** The route of the plan. */
export function RouteEditor(_: RouteEditorProps) {
  const { route: words } = usePassageWords();
  return (
    <h2 data-opened tabIndex={-1} className="font-semibold text-lg">
      {words.title}
    </h2>
  );
}

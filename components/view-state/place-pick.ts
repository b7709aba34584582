import type { Place } from "#lib/geo/sphere.ts";
import { sharedState } from "./device-setting.ts";

const state = sharedState<{ take: ((place: Place) => void) | undefined }>({ take: undefined });

/** What takes the place of the next click on the map; undefined: a click does what it always does. */
export const usePlacePick = () => state.use().take;

/**
 * The next click on the map, or Enter at its cross, fills a field in.
 *
 * @returns Ends the wait, where it is still for this: of a field that is gone.
 */
export function pickPlace(take: ((place: Place) => void) | undefined): () => void {
  state.change({ take });
  return () => {
    if (state.current().take === take) state.change({ take: undefined });
  };
}

/** @returns Whether something waited for a place. */
export function cancelPick(): boolean {
  const { take } = state.current();
  pickPlace(undefined);
  return take !== undefined;
}

/** Gives a place to what waits for one. @returns Whether something did. */
export function takePlace(place: Place): boolean {
  const { take } = state.current();
  if (!cancelPick()) return false;
  take?.(place);
  return true;
}

import type { Place } from "@open-metocean/geo/sphere";
import { sharedState } from "./shared-state.ts";

const state = sharedState<{ take: ((place: Place) => void) | undefined }>({ take: undefined });

/** Receiver of the next click on the map; undefined if clicks act as usual. */
export const usePlacePick = () => state.use("take").take;

/**
 * Lets the next click on the map, or Enter at its cross, fill in a field.
 *
 * @returns Function that ends waiting, if it is still for this field; call it when the field is removed.
 */
export function pickPlace(take: ((place: Place) => void) | undefined): () => void {
  state.change({ take });
  return () => {
    if (state.current().take === take) state.change({ take: undefined });
  };
}

/** Whether a field is waiting for a place. */
export const isPlaceAwaited = (): boolean => state.current().take !== undefined;

/** @returns Whether anything was waiting for a place. */
export function cancelPick(): boolean {
  const { take } = state.current();
  pickPlace(undefined);
  return take !== undefined;
}

/** Gives a place to the waiting field. @returns Whether there was one. */
export function takePlace(place: Place): boolean {
  const { take } = state.current();
  if (!cancelPick()) return false;
  take?.(place);
  return true;
}

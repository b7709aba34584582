import type { Side } from "#components/view-state/compared.ts";

/**
 * Position at which the map is divided between two pictures. It changes outside React: the layers read it in
 * each frame, so that a drag costs no more than a frame.
 */
export interface Divider {
  /** Distance from the left edge of the map, 0 … 1. */
  readonly at: number;
  move(at: number): void;
  /** @returns Function that ends the subscription. */
  onMove(listener: () => void): () => void;
}

export function openDivider(at: number): Divider {
  const listeners = new Set<() => void>();
  return {
    get at() {
      return at;
    },
    move(to) {
      const next = Math.min(1, Math.max(0, to));
      if (next === at) return;
      at = next;
      for (const listener of listeners) listener();
    },
    onMove(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/**
 * First pixel of each row of the drawing buffer that a layer may colour, and the first pixel after the last
 * one.
 */
export type Clip = readonly [from: number, to: number];

/** The clip that includes everything. */
export const wholeWidth: Clip = [0, 1e6];

/** The clip of one side. @param width Width of the drawing buffer, pixels. */
export function clipOf(side: Side | undefined, divider: Divider | undefined, width: number): Clip {
  if (!side || !divider) return wholeWidth;
  const pixel = Math.round(divider.at * width);
  return side === "a" ? [0, pixel] : [pixel, 1e6];
}

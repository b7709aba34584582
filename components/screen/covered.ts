import type { Covered } from "#components/map/open-map.ts";

/**
 * The element that covers the map: a dialog beside the map, the sheet, or on a phone the time bar on top of
 * the sheet.
 */
export function overMap(): DOMRect | undefined {
  const dialog = document.querySelector("dialog.beside-map[open]")?.getBoundingClientRect();
  if (dialog && dialog.left > dialog.width / 2) return dialog;
  const sheet = document.querySelector(".panel-sheet")?.getBoundingClientRect();
  const bar = document.querySelector(".time-bar")?.getBoundingClientRect();
  return sheet && bar && bar.top < sheet.top && bar.right > sheet.left ? bar : sheet;
}

/**
 * Resolves when the sheet and the time bar on it have stopped moving, which takes longer on a slow device.
 */
export async function sheetRests(): Promise<void> {
  const moving = [...document.querySelectorAll(".panel-sheet, .time-bar")].flatMap((part) =>
    part.getAnimations(),
  );
  await Promise.allSettled(moving.map(({ finished }) => finished));
}

/** Pixels of the map that the panel covers, at its right or at its bottom. */
export function coveredByPanel(): Covered {
  const map = document.querySelector("main")?.getBoundingClientRect();
  const over = overMap();
  if (!map || !over) return { right: 0, bottom: 0 };
  const [right, bottom] = [map.right - over.left, map.bottom - over.top];
  const isBeside = over.width < map.width * 0.8;
  return isBeside ? { right: Math.max(0, right), bottom: 0 } : { right: 0, bottom: Math.max(0, bottom) };
}

interface Box {
  width: number;
  height: number;
}

/** Distance between a menu and the edges that it must stay within, pixels. */
const MARGIN = 4;

/** Position of a map menu: at the pointer, moved into the uncovered part of the map. */
export function menuPlace(
  at: { x: number; y: number },
  menu: Box,
  room: Box,
  covered: Covered,
): { left: number; top: number } {
  const within = (wanted: number, most: number) => Math.max(MARGIN, Math.min(wanted, most - MARGIN));
  return {
    left: within(at.x, room.width - covered.right - menu.width),
    top: within(at.y, room.height - covered.bottom - menu.height),
  };
}

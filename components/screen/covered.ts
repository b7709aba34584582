import type { Covered } from "#components/map/open-map.ts";

/** What lies over the map: a dialog that leaves room for it, the sheet, or the time bar where it rides on the sheet of a phone. */
export function overMap(): DOMRect | undefined {
  const dialog = document.querySelector("dialog.beside-map[open]")?.getBoundingClientRect();
  if (dialog && dialog.left > dialog.width / 2) return dialog;
  const sheet = document.querySelector(".panel-sheet")?.getBoundingClientRect();
  const bar = document.querySelector(".time-bar")?.getBoundingClientRect();
  return sheet && bar && bar.top < sheet.top && bar.right > sheet.left ? bar : sheet;
}

/** Resolves when the sheet and the time bar on it stand still: a slow device draws their way late. */
export async function sheetRests(): Promise<void> {
  const moving = [...document.querySelectorAll(".panel-sheet, .time-bar")].flatMap((part) =>
    part.getAnimations(),
  );
  await Promise.allSettled(moving.map(({ finished }) => finished));
}

/** How much of the map lies below the panel, at its right or at its bottom. */
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

/** Pixels between a menu and the edges of what it must stay in. */
const MARGIN = 4;

/** Where a menu of the map is laid: at the pointer, moved into the part of the map that nothing covers. */
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

/** Sides of a box, CSS pixels from the top left of the window. */
export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

export interface Size {
  width: number;
  height: number;
}

/** Between a sheet and its button, and between a sheet and the edge of the window, CSS pixels. */
const GAP = 6;
const MARGIN = 8;

/**
 * Where the sheet of a menu lies: below its button, or above it where there is more room; always whole in the window,
 * which a sheet that is higher than the room scrolls in.
 *
 * @param sheet Its size without any limit of its height.
 * @param align Edge of the button that the sheet is aligned to.
 */
export function sheetPlace(
  opener: Box,
  sheet: Size,
  window: Size,
  align: "left" | "right",
): { left: number; top: number; maxHeight: number } {
  const below = window.height - MARGIN - (opener.bottom + GAP);
  const above = opener.top - GAP - MARGIN;
  const isBelow = sheet.height <= below || below >= above;
  const maxHeight = Math.max(0, isBelow ? below : above);
  const height = Math.min(sheet.height, maxHeight);
  const aligned = align === "left" ? opener.left : opener.right - sheet.width;
  return {
    left: Math.max(MARGIN, Math.min(aligned, window.width - MARGIN - sheet.width)),
    top: isBelow ? opener.bottom + GAP : opener.top - GAP - height,
    maxHeight,
  };
}

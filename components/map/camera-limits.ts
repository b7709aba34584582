/** The zooms of the map. */
export const [MIN_ZOOM, MAX_ZOOM] = [0.5, 12];

/** Pixels around a box that is shown whole, clear of notices and legend; and how close the map goes. */
export const FIT_PADDING = { top: 70, right: 50, bottom: 120, left: 50 };
export const MAX_FIT_ZOOM = 6;

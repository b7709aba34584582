import type { DrawnVariable } from "#lib/catalog/colours.ts";

interface OverlayChoice {
  title: string;
  /** Drawn unless a link or the user says otherwise. */
  byDefault: boolean;
  /** Layers that it belongs to; every layer where left out. */
  with?: readonly DrawnVariable[];
}

/** What can be drawn on top of the coloured field, in the order of the menu. A row here is a switch there. */
export const overlayChoices = {
  barbs: { title: "Wind barbs", byDefault: true, with: ["wind"] },
  arrows: { title: "Direction arrows", byDefault: true, with: ["wave", "current"] },
  isolines: { title: "Isobars, lines of wave height", byDefault: true, with: ["pressure", "wave"] },
  particles: { title: "Moving particles", byDefault: false, with: ["wind", "current"] },
  names: { title: "Place names", byDefault: true },
  storms: { title: "Storms", byDefault: true },
  boxes: { title: "Boxes round a storm's winds", byDefault: true },
  graticule: { title: "Latitude and longitude", byDefault: true },
} as const satisfies Record<string, OverlayChoice>;

export type Overlay = keyof typeof overlayChoices;

export const overlayNames = Object.keys(overlayChoices) as Overlay[];

export const defaultOverlays = overlayNames.filter((name) => overlayChoices[name].byDefault);

/** The row of an overlay, widened to what all rows have in common. */
export function overlayChoice(name: Overlay): OverlayChoice {
  return overlayChoices[name];
}

/** Overlays that draw the layer's own field by symbols. */
const symbols = ["barbs", "arrows", "isolines", "particles"] as const satisfies readonly Overlay[];

/** By what symbols a layer is drawn. */
export function symbolsOf(layer: DrawnVariable, shown: readonly Overlay[]) {
  return symbols.filter((name) => shown.includes(name) && overlayChoice(name).with?.includes(layer));
}

import type { MapColours } from "#components/view-state/map-colours.ts";
import { mapIcon } from "#components/view-state/paint-map.ts";

/** A hull with its bow up for a ship under way, and an anchor in a ring for one at anchor. */
const hull = "M0 -13C5 -8 6 -3 6 3L5 11L-5 11L-6 3C-6 -3 -5 -8 0 -13Z";
const anchor = "M0 -5V6M-3.5 -2.5H3.5M-5 2C-4.5 5 -2 6.5 0 6.5C2 6.5 4.5 5 5 2";

const symbols = {
  "ship-under-way"(pen: CanvasRenderingContext2D, { ink, halo }: MapColours) {
    const body = new Path2D(hull);
    outline(pen, halo, 6, body);
    pen.fillStyle = ink;
    pen.fill(body);
    // The filled bow distinguishes it from the stern at any size.
    pen.fillStyle = halo;
    pen.fill(new Path2D("M0 -7L3 1H-3Z"));
  },
  "ship-at-anchor"(pen: CanvasRenderingContext2D, { ink, halo }: MapColours) {
    const ring = new Path2D();
    ring.arc(0, 0, 11, 0, 2 * Math.PI);
    outline(pen, halo, 6, ring);
    pen.fillStyle = ink;
    pen.fill(ring);
    const eye = new Path2D();
    eye.arc(0, -6.5, 1.75, 0, 2 * Math.PI);
    outline(pen, halo, 2, new Path2D(anchor), eye);
  },
} as const;

type ShipIcon = keyof typeof symbols;

export const shipIconNames = Object.keys(symbols) as ShipIcon[];

export function shipIcon(name: ShipIcon, colours: MapColours): ImageData {
  return mapIcon((pen) => symbols[name](pen, colours));
}

function outline(pen: CanvasRenderingContext2D, colour: string, width: number, ...paths: Path2D[]): void {
  pen.strokeStyle = colour;
  pen.lineWidth = width;
  for (const path of paths) pen.stroke(path);
}

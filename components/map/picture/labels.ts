import type { MapView } from "#components/map/map-view.ts";
import type { LabelBox } from "#components/map/symbols/label-boxes.ts";
import type { Pen } from "./world-path.ts";

/** Boxes of labels that were placed, pixels of the canvas: none is drawn over another. */
export class PlacedLabels {
  private readonly boxes: [x: number, y: number, halfWidth: number, halfHeight: number][] = [];

  /** Takes the room if it is free. */
  place(x: number, y: number, halfWidth: number, halfHeight: number): boolean {
    if (!this.isFree(x, y, halfWidth, halfHeight)) return false;
    this.take(x, y, halfWidth, halfHeight);
    return true;
  }

  isFree(x: number, y: number, halfWidth: number, halfHeight: number): boolean {
    return this.boxes.every(
      ([x0, y0, wide, high]) => Math.abs(x - x0) >= wide + halfWidth || Math.abs(y - y0) >= high + halfHeight,
    );
  }

  take(x: number, y: number, halfWidth: number, halfHeight: number): void {
    this.boxes.push([x, y, halfWidth, halfHeight]);
  }

  /** For symbols, which make way for them. */
  asPlaces(view: MapView): LabelBox[] {
    return this.boxes.flatMap(([x, y, halfWidth, halfHeight]) => {
      const place = view.unproject(x, y);
      return place ? [{ ...place, halfWidth, halfHeight }] : [];
    });
  }
}

/** How far below the middle of a line MapLibre has its letters stand, of their size. */
const BASELINE = 0.4375;

/** Text with a halo around it, at the middle of its line. @param halo Its width, pixels, as the size. */
export function haloText(pen: Pen, text: string, x: number, y: number, size: number, halo: number): void {
  pen.textBaseline = "alphabetic";
  pen.lineJoin = "round";
  pen.lineWidth = 2 * halo;
  pen.strokeText(text, x, y + BASELINE * size);
  pen.fillText(text, x, y + BASELINE * size);
}

/** Words in lines of similar length. @param widthOf Of a text, as `most`. */
export function wrapped(text: string, widthOf: (text: string) => number, most: number): string[] {
  const words = text.split(" ");
  const lines = Math.ceil(widthOf(text) / most);
  if (lines <= 1 || words.length === 1) return [text];
  const target = widthOf(text) / lines;
  /** The best lines from a word on. */
  const best = (from: number): { cost: number; lines: string[] } => {
    if (from === words.length) return { cost: 0, lines: [] };
    let found = { cost: Number.POSITIVE_INFINITY, lines: [] as string[] };
    for (let end = from + 1; end <= words.length; end++) {
      const line = words.slice(from, end).join(" ");
      const rest = best(end);
      const cost = (widthOf(line) - target) ** 2 + rest.cost;
      if (cost < found.cost) found = { cost, lines: [line, ...rest.lines] };
    }
    return found;
  };
  return best(0).lines;
}

import type { Position } from "geojson";
import { type Camera, MERCATOR_END, northing, worldOf } from "#components/map/map-view.ts";

/** Draws on the canvas of a picture, in CSS pixels. */
export type Pen = CanvasRenderingContext2D;

/** Lines on the Mercator world, whose sides are 0 and 1. @param closed They are the edges of areas. */
export function worldPath(lines: readonly (readonly Position[])[], closed = false): Path2D {
  const path = new Path2D();
  for (const line of lines) {
    line.forEach(([longitude = 0, latitude = 0], index) => {
      const x = (longitude + 180) / 360;
      const kept = Math.min(MERCATOR_END, Math.max(-MERCATOR_END, latitude));
      const y = 0.5 - northing(kept) / (2 * Math.PI);
      if (index === 0) path.moveTo(x, y);
      else path.lineTo(x, y);
    });
    if (closed) path.closePath();
  }
  return path;
}

/**
 * Draws paths of the world on all of its copies in view.
 *
 * @param draw Draws one; `pixel` is the width of a CSS pixel there.
 */
export function onCopies(pen: Pen, camera: Camera, draw: (pixel: number) => void): void {
  const world = worldOf(camera);
  const { width, height, centre } = camera;
  const left = width / 2 - ((centre.longitude + 180) / 360) * world;
  const top = height / 2 - (0.5 - northing(centre.latitude) / (2 * Math.PI)) * world;
  // What continues past 180° lies on the copy beside it.
  const first = Math.floor(-left / world) - 1;
  const last = Math.floor((width - left) / world) + 1;
  for (let copy = first; copy <= last; copy++) {
    pen.save();
    pen.translate(left + copy * world, top);
    pen.scale(world, world);
    draw(1 / world);
    pen.restore();
  }
}

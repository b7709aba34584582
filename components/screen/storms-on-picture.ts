import { worldOf } from "#components/map/map-view.ts";
import { haloText, wrapped } from "#components/map/picture/labels.ts";
import { setFont } from "#components/map/picture/paint-names.ts";
import type { AddedPicture, PictureCanvas } from "#components/map/picture/paint-picture.ts";
import { STORM_LAYER } from "#components/storms/storm-shapes.ts";
import { paintStorms } from "#components/storms/storms-picture.ts";
import type { MapScene } from "./map-with-storms.tsx";

const nothing: AddedPicture = { above: () => undefined, pick: () => undefined };

/** Draws the storms of a scene on the picture that stands for the map. */
export function paintStormsOn(
  { pen, view, camera, colours, labels }: PictureCanvas,
  { storms }: MapScene,
): AddedPicture {
  if (!storms || storms.film) return nothing;
  const canvas = {
    pen,
    world: worldOf(camera),
    colours,
    project(latitude: number, longitude: number) {
      const at = { x: 0, y: 0 };
      view.project(latitude, longitude, at);
      return at;
    },
    label: {
      font: (size: number) => setFont(pen, size),
      wrap: (text: string, most: number) => wrapped(text, (of) => pen.measureText(of).width, most),
      draw: (text: string, x: number, y: number, size: number, halo: number) =>
        haloText(pen, text, x, y, size, halo),
      place: (...box: [number, number, number, number]) => labels.place(...box),
    },
  };
  const { above, pick } = paintStorms(canvas, storms);
  return {
    above,
    pick(x, y) {
      const id = pick(x, y);
      return id === undefined ? undefined : { layer: STORM_LAYER, id };
    },
  };
}

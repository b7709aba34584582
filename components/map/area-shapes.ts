import type { SceneArea } from "./scene.ts";

/** Longest side of a shape, degrees: on the globe a longer one would not follow its parallel. */
const SIDE_DEGREES = 5;

/** The box of an area, its corners where they can be dragged, and the first of two corners that are clicked. */
export function areaShapes({ box, corner, isDrawing, onBox }: SceneArea): GeoJSON.FeatureCollection {
  const features: GeoJSON.Feature[] = [];
  const point = (longitude: number, latitude: number, properties: GeoJSON.GeoJsonProperties) =>
    features.push({
      type: "Feature",
      properties,
      geometry: { type: "Point", coordinates: [longitude, latitude] },
    });
  if (box) {
    const { south, north, west, east } = box;
    const ring = [
      ...side([west, south], [east, south]),
      ...side([east, south], [east, north]),
      ...side([east, north], [west, north]),
      ...side([west, north], [west, south]),
      [west, south],
    ];
    features.push({ type: "Feature", properties: {}, geometry: { type: "Polygon", coordinates: [ring] } });
    if (onBox && !isDrawing)
      for (const isNorth of [false, true])
        for (const isWest of [false, true])
          point(isWest ? west : east, isNorth ? north : south, { north: isNorth, west: isWest });
  }
  if (corner) point(corner.longitude, corner.latitude, {});
  return { type: "FeatureCollection", features };
}

/** From one end up to the other, which is left out. */
function side([x1, y1]: [number, number], [x2, y2]: [number, number]): GeoJSON.Position[] {
  const parts = Math.max(1, Math.ceil(Math.max(Math.abs(x2 - x1), Math.abs(y2 - y1)) / SIDE_DEGREES));
  return Array.from({ length: parts }, (_, part) => [
    x1 + ((x2 - x1) * part) / parts,
    y1 + ((y2 - y1) * part) / parts,
  ]);
}

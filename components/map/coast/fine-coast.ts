import type { FeatureCollection, MultiLineString, MultiPolygon, Position } from "geojson";
import { linesOf } from "#components/map/basemap.ts";
import {
  type CellNumber,
  edgesOf,
  isCellEdge,
  OVERLAP,
  type PackedPolygons,
  unpackRing,
} from "#lib/places/coast-cells.ts";

/** Land of a cell: its polygons, or the whole cell. */
export interface LandOfCell {
  cell: CellNumber;
  polygons: PackedPolygons | "all";
}

/** Land and coast of cells as one map source. The coast omits the edges where cells were cut. */
export function fineCoast(cells: readonly LandOfCell[]): FeatureCollection<MultiPolygon | MultiLineString> {
  const land: Position[][][] = [];
  const coast: Position[][] = [];
  for (const { cell, polygons } of cells) {
    const edges = edgesOf(cell);
    if (polygons === "all") {
      land.push([wholeCell(edges)]);
      continue;
    }
    const cut = isCellEdge(edges);
    for (const rings of polygons) {
      const unpacked = rings.map(unpackRing);
      land.push(unpacked);
      coast.push(...unpacked.flatMap((ring) => linesOf(ring, cut)));
    }
  }
  const feature = <G extends MultiPolygon | MultiLineString>(geometry: G) => ({
    type: "Feature" as const,
    properties: {},
    geometry,
  });
  return {
    type: "FeatureCollection",
    features: [
      feature({ type: "MultiPolygon", coordinates: land }),
      feature({ type: "MultiLineString", coordinates: coast }),
    ],
  };
}

function wholeCell({ west, east, south, north }: ReturnType<typeof edgesOf>): Position[] {
  const [w, e] = [Math.max(-180, west - OVERLAP), Math.min(180, east + OVERLAP)];
  const [s, n] = [Math.max(-90, south - OVERLAP), Math.min(90, north + OVERLAP)];
  return [
    [w, s],
    [w, n],
    [e, n],
    [e, s],
    [w, s],
  ];
}

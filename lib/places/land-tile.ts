import { VectorTile } from "@mapbox/vector-tile";
import { PbfReader } from "pbf";

/**
 * The land of OpenStreetMap in vector tiles (`scripts/build-coast.ts`): the map draws them, and every question about land is
 * answered by them, in the page and in the service.
 */
export const LAND_LAYER = "land";

/** Zoom of the finest tiles, within some 40 m of the polygons they were cut from. Maps enlarge them beyond it. */
export const LAND_ZOOM = 8;

/** North and south edge of the tiles, degrees: there is no land north of it, and no sea south of it. */
export const MAX_TILE_LATITUDE = (Math.atan(Math.sinh(Math.PI)) * 180) / Math.PI;

/** Position in the square of Web Mercator, from 0 at 180° W to 1 at 180° E. */
export function mercatorX(longitude: number): number {
  return longitude / 360 + 0.5;
}

/** Position in the square of Web Mercator, from 0 at 85.05° N to 1 at 85.05° S. */
export function mercatorY(latitude: number): number {
  const sine = Math.sin((latitude * Math.PI) / 180);
  return 0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI);
}

/** Latitude of a position in the square of Web Mercator, degrees. */
export function mercatorLatitude(y: number): number {
  return (Math.atan(Math.sinh(Math.PI * (1 - 2 * y))) * 180) / Math.PI;
}

/** Bands of a tile in which edges are found. */
const BANDS = 64;

/** Land within a tile. Positions are shares of its side, from its north-west corner. */
export class LandTile {
  /** Edges in units of the tile, by bands from the north: x and y of both ends. An edge is in each band that it touches. */
  readonly #edges: Int16Array;
  readonly #starts: Uint32Array;
  readonly #extent: number;
  readonly #rings: Int16Array[];

  /**
   * @param rings Closed rings, x and y by turns, in units of the tile. Land lies on the same side of all.
   * @param extent Units along the side of the tile.
   */
  constructor(rings: Int16Array[], extent: number) {
    this.#rings = rings;
    this.#extent = extent;
    this.#starts = new Uint32Array(BANDS + 1);
    for (const [band] of this.#edgesInBands()) this.#starts[band + 1]! += 4;
    for (let band = 0; band < BANDS; band++) this.#starts[band + 1]! += this.#starts[band]!;
    this.#edges = new Int16Array(this.#starts[BANDS]!);
    const next = this.#starts.slice();
    for (const [band, ring, at] of this.#edgesInBands()) {
      this.#edges.set(ring.subarray(at, at + 4), next[band]);
      next[band]! += 4;
    }
  }

  /** @param bytes A tile of the archive, unpacked; undefined is a tile without land. */
  static read(bytes: Uint8Array | undefined): LandTile {
    const layer = bytes && new VectorTile(new PbfReader(bytes)).layers[LAND_LAYER];
    if (!layer) return new LandTile([], 1);
    const rings = Array.from({ length: layer.length }, (_, index) => layer.feature(index).loadGeometry());
    return new LandTile(
      rings.flat().map((ring) => Int16Array.from(ring.flatMap(({ x, y }) => [x, y]))),
      layer.extent,
    );
  }

  /** Size in memory, bytes. */
  get bytes(): number {
    return 500 + this.#edges.byteLength + this.#rings.reduce((sum, ring) => sum + 100 + ring.byteLength, 0);
  }

  /** Whether a place is on land: rings run around it more often one way than the other, as fills of the map have it. */
  isLand(x: number, y: number): boolean {
    const [east, south] = [x * this.#extent, y * this.#extent];
    const band = Math.max(0, Math.min(BANDS - 1, Math.floor(y * BANDS)));
    let turns = 0;
    const edges = this.#edges;
    const end = this.#starts[band + 1]!;
    for (let at = this.#starts[band]!; at < end; at += 4) {
      const y0 = edges[at + 1]!;
      const y1 = edges[at + 3]!;
      if (y0 > south === y1 > south) continue;
      const x0 = edges[at]!;
      const x1 = edges[at + 2]!;
      if (x0 + ((south - y0) / (y1 - y0)) * (x1 - x0) > east) turns += y1 > y0 ? 1 : -1;
    }
    return turns !== 0;
  }

  /** Edges of the coast that touch the tile, as shares of its side. Edges along which the land was cut lie outside it. */
  *coast(): Generator<[x0: number, y0: number, x1: number, y1: number]> {
    const extent = this.#extent;
    for (const ring of this.#rings)
      for (let at = 0; at + 3 < ring.length; at += 2) {
        const [x0, y0, x1, y1] = [ring[at]!, ring[at + 1]!, ring[at + 2]!, ring[at + 3]!];
        const isOutside =
          (x0 < 0 && x1 < 0) ||
          (y0 < 0 && y1 < 0) ||
          (x0 > extent && x1 > extent) ||
          (y0 > extent && y1 > extent);
        if (!isOutside) yield [x0 / extent, y0 / extent, x1 / extent, y1 / extent];
      }
  }

  /** The bands that edges touch, each with the ring of the edge and its position there. Level edges cross no latitude. */
  *#edgesInBands(): Generator<[band: number, ring: Int16Array, at: number]> {
    for (const ring of this.#rings)
      for (let at = 0; at + 3 < ring.length; at += 2) {
        const [y0, y1] = [ring[at + 1]!, ring[at + 3]!];
        if (y0 === y1) continue;
        const first = Math.max(0, Math.floor((Math.min(y0, y1) / this.#extent) * BANDS));
        const last = Math.min(BANDS - 1, Math.floor((Math.max(y0, y1) / this.#extent) * BANDS));
        for (let band = first; band <= last; band++) yield [band, ring, at];
      }
  }
}

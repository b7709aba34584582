import { describe, expect, it } from "vitest";
import { mercatorView } from "#components/map/map-view.ts";
import { COLOURS, probeTable } from "#lib/catalog/colours.ts";
import { FILL } from "#lib/catalog/fields.ts";
import type { Frame } from "#lib/field/frame.ts";
import type { Grid } from "#lib/field/grid.ts";
import { type FramePair, sampleBand } from "#lib/field/sample.ts";
import { seeded } from "#test/seeded.ts";
import { fieldRaster } from "./field-raster.ts";

const globe: Grid = {
  latitude: { start: -90, step: 3, count: 61 },
  longitude: { start: -180, step: 3, count: 120 },
};
const region: Grid = {
  latitude: { start: 20, step: 2, count: 16 },
  longitude: { start: 150, step: 2, count: 40 },
};

function frameOf(grid: Grid, bands: number, seed: number): Frame {
  const random = seeded(seed);
  const nodes = grid.latitude.count * grid.longitude.count;
  const values = Int16Array.from({ length: nodes * bands }, () =>
    random() < 0.2 ? FILL : Math.round(4000 * (random() - 0.5)),
  );
  const scales = Array.from({ length: bands }, (_, band) => ({
    name: `b${band}`,
    scale: 0.01,
    offset: band,
  }));
  return { grid, time: 0, bands: scales, values, perNode: bands };
}

const pairOf = (grid: Grid, bands: number, later: number): FramePair => ({
  before: frameOf(grid, bands, 1),
  after: frameOf(grid, bands, 2),
  later,
});

const cameras = [
  { width: 90, height: 60, centre: { latitude: 40, longitude: -30 }, zoom: 1.3 },
  { width: 90, height: 60, centre: { latitude: 35, longitude: 179 }, zoom: 2.5 },
  // Several copies of the world.
  { width: 900, height: 200, centre: { latitude: 0, longitude: 100 }, zoom: 0.5 },
];

describe("The field of a picture", () => {
  it.each(
    [globe, region].flatMap((grid) =>
      [0, 0.4, 0.5].flatMap((later) =>
        (["length", "value"] as const).map((paints) => ({ grid, later, paints })),
      ),
    ),
  )(
    "has at each pixel the colour of what the sampler of the API gives there: %o",
    ({ grid, later, paints }) => {
      const pair = pairOf(grid, paints === "length" ? 2 : 1, later);
      const range = [0, 25] as const;
      for (const camera of cameras) {
        const view = mercatorView(camera);
        const { width, height, data } = fieldRaster(camera, pair, { table: probeTable(), range, paints }, 3);
        let painted = 0;
        for (let y = 0; y < height; y++) {
          for (let x = 0; x < width; x++) {
            const place = view.unproject((x + 0.5) * 3, (y + 0.5) * 3)!;
            const at = (band: number) => sampleBand(pair, band, place.latitude, place.longitude);
            const value = paints === "length" ? Math.hypot(at(0), at(1)) : at(0);
            const pixel = 4 * (y * width + x);
            expect(data[pixel + 3]).toBe(Number.isNaN(value) ? 0 : 255);
            if (Number.isNaN(value)) continue;
            painted++;
            const share = Math.min(1, Math.max(0, (value - range[0]) / (range[1] - range[0])));
            // On the border of two colours rounding may choose either.
            expect(Math.abs(data[pixel]! - share * (COLOURS - 1))).toBeLessThanOrEqual(0.5 + 1e-6);
          }
        }
        if (grid === globe) expect(painted).toBeGreaterThan(100);
      }
    },
  );
});

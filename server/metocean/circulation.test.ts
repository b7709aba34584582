import { expect, it } from "vitest";
import { type Centre, centres } from "#lib/field/centres.ts";
import { decodeFrame } from "#lib/field/frame.ts";
import { type FramePair, sampleBand } from "#lib/field/interpolate.ts";
import { valuesAtNodes } from "#lib/field/isolines.ts";
import { parseInstant } from "#lib/time.ts";
import { demoManifest } from "#server/demo/runs.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { frameAt, frameCache } from "./frames.ts";

const time = "2026-09-15T12:00:00Z";
const now = parseInstant(time);
const archive = demoArchive(now);
const run = demoManifest(now).runs.find(({ dataset }) => dataset === "Forecast")!;

/** The frame of the globe at 1° that the map draws. */
async function globe(variable: "pressure" | "wind"): Promise<FramePair> {
  const address = { dataset: run.dataset, run: run.id, variable, time, level: "4", chunk: "all" };
  const frame = await frameAt(archive, frameCache(1e7), address, undefined, new AbortController().signal);
  const decoded = decodeFrame(frame!.bytes);
  return { before: decoded, after: decoded, later: 0 };
}

/** Radius of the circle around a centre on which the flow is sampled, degrees of arc, and number of samples. */
const [RADIUS, PLACES] = [3, 72];

/**
 * Mean speed along a circle around a centre, anticlockwise from above: circulation divided by circumference.
 *
 * @returns m s-1; less than 0 is clockwise.
 */
function anticlockwise(wind: FramePair, { latitude, longitude }: Centre): number {
  const narrow = Math.cos((latitude * Math.PI) / 180);
  let sum = 0;
  for (let place = 0; place < PLACES; place++) {
    const angle = (2 * Math.PI * place) / PLACES;
    const [x, y] = [Math.cos(angle), Math.sin(angle)];
    const at = [latitude + RADIUS * y, longitude + (RADIUS * x) / narrow] as const;
    sum += sampleBand(wind, 1, ...at) * x - sampleBand(wind, 0, ...at) * y;
  }
  return sum / PLACES;
}

/** Nearer to the equator the wind does not follow the isobars. */
const MIN_LATITUDE = 15;

it("wind turns anticlockwise around a northern low, clockwise around a southern one, and the other way around highs", async () => {
  const [pressure, wind] = [await globe("pressure"), await globe("wind")];
  const { grid } = pressure.before;
  const field = (latitude: number, longitude: number) => sampleBand(pressure, 0, latitude, longitude);
  const found = centres(field, grid, valuesAtNodes(field, grid), { radius: 5, prominence: 1.5 }).filter(
    ({ latitude }) => Math.abs(latitude) > MIN_LATITUDE && Math.abs(latitude) < 75,
  );
  const turns = found.map((centre) => ({
    which: `${centre.latitude > 0 ? "northern" : "southern"} ${centre.kind}`,
    where: `${centre.latitude}, ${centre.longitude}`,
    speed: anticlockwise(wind, centre),
  }));
  const counts = Map.groupBy(turns, ({ which }) => which);
  expect(counts.get("northern low")?.length).toBeGreaterThanOrEqual(3);
  expect(counts.get("southern low")?.length).toBeGreaterThanOrEqual(3);
  for (const { which, where, speed } of turns) {
    const sense = which === "northern low" || which === "southern high" ? 1 : -1;
    expect(sense * speed, `${which} at ${where}`).toBeGreaterThan(0.5);
  }
});

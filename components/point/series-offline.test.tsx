import { expect, it } from "vitest";
import { DAY_S, formatInstant } from "#lib/time.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { PointPanel } from "./point-panel.tsx";
import { type PointReply, renewal, seriesQuery } from "./point-queries.ts";

const time = Date.UTC(2026, 0, 1) / 1000;
const sample = { apiKey: TEST_KEY, place: { latitude: 48.5, longitude: -5.25 }, time };
const search = "p=48.5,-5.25";
const panel = <PointPanel waiting={false} loadLand={() => new Promise<never>(() => undefined)} />;

const saved: PointReply = {
  results: [time, time + 3 * 3600].map((at) => ({
    coordinates: { latitude: 48.5, longitude: -5.25, timestamp: formatInstant(at) },
    conditions: { Winds_10m_Intensity: 10 },
  })),
  meta: { provenance: [], nulls: [] },
  execution_time: "0.1 s",
  readAt: time - 5 * 3600,
  isSaved: true,
};

it("says of saved values when the service gave them, not when the page opened", () => {
  const cache = filledCache(seriesQuery(sample, time), saved);
  const html = renderInPage(panel, { clock: { now: time, time }, search, cache });
  expect(html).toContain("Offline. Read Wed 31 Dec 19:00 UTC.");
});

it("keeps the saved days where the service was lost before midnight", () => {
  const cache = filledCache(seriesQuery(sample, time), saved);
  const clock = { now: time + DAY_S, answered: time, time };
  expect(renderInPage(panel, { clock, search, cache })).toContain("19 kn");
});

it("asks again while the page is open: soon in place of what was saved, else for newer runs", () => {
  expect(renewal(saved)).toBe(30_000);
  expect(renewal({ ...saved, isSaved: false })).toBe(30 * 60_000);
  expect(renewal(undefined)).toBe(false);
});

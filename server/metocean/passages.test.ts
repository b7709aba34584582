import { expect, it } from "vitest";
import { acceptedTimes } from "#lib/catalog/datasets.ts";
import type { PointSource } from "#server/archive/reader.ts";
import type { Manifest } from "#server/archive/run.ts";
import { weatherAt } from "./passages.ts";

it("places whose times are all outside the window of answers have no weather, and nothing is read for them", async () => {
  const now = Date.UTC(2026, 0, 1) / 1000;
  const window = acceptedTimes(now);
  const { signal } = new AbortController();
  const later = { latitude: 40, longitude: -30, time: window.last + 1, whole: true };
  const nothing = {} as PointSource;
  const wanted = [later, { ...later, time: window.first - 1 }];
  const names = ["wind", "gust"] as const;
  const { weather, groupings } = await weatherAt(nothing, {} as Manifest, wanted, names, window, now, signal);
  const unknown = { Winds_10m_Direction: null, Winds_10m_Intensity: null, Gust_10m: null };
  expect(weather).toEqual([unknown, unknown]);
  expect(groupings.size).toBe(0);
});

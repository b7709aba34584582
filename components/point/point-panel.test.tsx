import { expect, it } from "vitest";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import type { PointResponse } from "#lib/contract/point.ts";
import { DAY_S, formatInstant, HOUR_S } from "#lib/time.ts";
import { failedCache, filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { OldConditions, PointPanel, PointPeek } from "./point-panel.tsx";
import { type PointReply, pointQuery, renewal, seriesQuery, shoreQuery } from "./point-queries.ts";

const time = Date.UTC(2026, 0, 1) / 1000;
const clock = { now: time, time };
const sample = { apiKey: TEST_KEY, place: { latitude: 48.5, longitude: -5.25 }, time };
const search = "p=48.5,-5.25";
const loadLand = () => new Promise<never>(() => undefined);
const onPlace = () => undefined;
const panel = <PointPanel waiting={false} loadLand={loadLand} onPlace={onPlace} />;

function reply(conditions: Record<string, number | null>): PointResponse["result"] {
  const coordinates = { latitude: 48.5, longitude: -5.25, timestamp: "2026-01-01T00:00:00Z" };
  return {
    results: [{ coordinates, conditions }],
    meta: {
      provenance: [],
      nulls: [{ variable: "wave", reason: "land", points: [0] }],
    },
  } as unknown as PointResponse["result"];
}

it("explains how to choose a point while there is none, or no key", () => {
  expect(renderInPage(panel, { clock })).toContain("Click the sea, or press Enter on the map");
  expect(renderInPage(panel, { clock, search, apiKey: null })).toContain("Click the sea");
  expect(renderInPage(<PointPeek />, { clock })).toContain("Tap the sea for its conditions.");
});

it("announces that it waits, before the request and during it", () => {
  const waiting = /role="status">Reading the forecast…/;
  expect(
    renderInPage(<PointPanel waiting={true} loadLand={loadLand} onPlace={onPlace} />, {
      clock: { now: 0 },
      search,
    }),
  ).toMatch(waiting);
  expect(renderInPage(panel, { clock, search })).toMatch(waiting);
});

it("shows a failure as an alert with a way to try again", async () => {
  const cache = await failedCache(
    pointQuery(sample),
    new ServiceError("The server could not be reached.", 0),
  );
  const html = renderInPage(panel, { clock, search, cache });
  expect(html).toMatch(/role="alert".*The server could not be reached\..*Try again/);
  expect(html).not.toContain("Reading the forecast");
});

it("shows how long a rate limit lasts", async () => {
  const cache = await failedCache(pointQuery(sample), new ServiceError("Too many requests.", 429, 23));
  expect(renderInPage(panel, { clock, search, cache })).toContain("Next try in 23 s.");
});

it("shows the values in the units of the link, with the reasons of missing ones", () => {
  const cache = filledCache(
    pointQuery(sample),
    reply({ Winds_10m_Intensity: 10, Winds_10m_Direction: 270, Waves_Significant_Height: null }),
  );
  const html = renderInPage(panel, { clock, search: `${search}&u=m/s`, cache });
  expect(html).toContain("48°30.0′N 005°15.0′W");
  expect(html).toMatch(/10\.0 m\/s<\/strong><span>W 270°/);
  expect(html).toMatch(/Waves_Significant_Height.*not available \(land in the model\)/);
  expect(renderInPage(<PointPeek />, { clock, search, cache })).toContain("19 kn");
});

it("shows the coming days in numbers, those without a value as dashes", () => {
  const cache = filledCache(pointQuery(sample), reply({ Winds_10m_Intensity: 10 }));
  const days = reply({ Winds_10m_Intensity: 10, Winds_10m_Direction: 270, Pressure: null });
  cache.setQueryData(seriesQuery(sample, time).queryKey, days);
  const html = renderInPage(panel, { clock, search, cache });
  expect(html).toContain('aria-label="Show Thu 1 Jan 00:00 on the map"');
  expect(html).toMatch(/270° <strong>19<\/strong>/);
  expect(html).toContain("<td>—</td>");
});

it("names land by the map's own coast, and open water with land in the model as such", () => {
  const away = { place: { latitude: 48.5, longitude: -5.4 }, km: 11, bearing: 270 };
  const shown = (shore: { onLand: boolean; sea: typeof away | undefined } | undefined) => {
    const inland = reply({ Winds_10m_Intensity: 10, Waves_Significant_Height: null });
    inland.meta!.nulls = (["wave", "current"] as const).map((variable) => ({
      variable,
      reason: "land",
      points: [0],
    }));
    const cache = filledCache(pointQuery(sample), inland);
    const { queryKey } = shoreQuery(sample, ["wave", "current"], loadLand);
    if (shore) cache.setQueryData(queryKey, shore);
    cache.setQueryData(pointQuery({ ...sample, place: away.place }).queryKey, {
      ...reply({ Waves_Significant_Height: 1.2 }),
    });
    return renderInPage(panel, { clock, search, cache });
  };
  expect(shown({ onLand: true, sea: undefined })).toContain("This position is on land.");
  expect(shown({ onLand: true, sea: undefined })).toContain("not available (on land)");
  expect(shown({ onLand: true, sea: away })).toMatch(
    /This position is on land\..*Nearest sea cell <strong>6 n mi W/,
  );
  expect(shown({ onLand: false, sea: undefined })).toContain("There is no sea cell within 60 n mi.");
  const beside = shown({ onLand: false, sea: away });
  expect(beside).toContain("No sea value in the model here");
  expect(beside).toMatch(/Nearest sea cell <strong>6 n mi W \(270°\)<\/strong>.*Use it.*1\.2 m/);
  expect(beside).not.toContain("on land");
  expect(shown(undefined)).toContain("Looking for the nearest sea cell…");
});

it("shows a step that the series holds without a request of its own, with the numbers of that step", () => {
  const later = time + 3 * 3600;
  const days = {
    results: [time, later].map((at) => ({
      coordinates: { latitude: 48.5, longitude: -5.25, timestamp: formatInstant(at) },
      conditions: { Winds_10m_Intensity: at === later ? 20 : 10 },
    })),
    meta: { provenance: [], nulls: [] },
  } as unknown as PointResponse["result"];
  const cache = filledCache(seriesQuery(sample, time), days);
  const html = renderInPage(panel, { clock: { now: time, time: later }, search, cache });
  expect(html).toContain("Thu 1 Jan 2026 03:00 UTC");
  expect(html).toContain("39 kn");
  expect(html).not.toContain("Reading the forecast");
});

it("speaks the time of the values of the meteogram where they are not of the time of the map", () => {
  const of = (times: number[], wind: number) =>
    ({
      results: times.map((at) => ({
        coordinates: { latitude: 48.5, longitude: -5.25, timestamp: formatInstant(at) },
        conditions: { Winds_10m_Intensity: wind },
      })),
    }) as unknown as PointResponse["result"];
  const at = (shown: number) => {
    const cache = filledCache(seriesQuery(sample, time), of([time, time + 3 * 3600], 10));
    cache.setQueryData(pointQuery({ ...sample, time: shown }).queryKey, of([shown], 20));
    return renderInPage(panel, { clock: { now: time, time: shown }, search, cache });
  };
  expect(at(time)).toContain('aria-valuetext="Thu 1 Jan 00:00. Wind 19 knots.');
  expect(at(time + 3600)).toContain('aria-valuetext="Thu 1 Jan 01:00. At Thu 1 Jan 00:00: Wind 19 knots.');
});

it("names the side whose time it shows while two pictures are compared, and offers the other", () => {
  const cache = filledCache(pointQuery(sample), reply({ Winds_10m_Intensity: 10 }));
  const side = { sampled: "b", choose: () => undefined } as const;
  const html = renderInPage(panel, { clock: { ...clock, side }, search, cache });
  expect(html).toContain("B: Thu 1 Jan 2026 00:00 UTC");
  expect(html).toMatch(
    /aria-label="A, left" aria-pressed="false".*aria-label="B, right" aria-pressed="true"/,
  );
  expect(html).toMatch(/aria-live="polite">B: 48°30/);
  const peek = renderInPage(<PointPeek />, { clock: { ...clock, side }, search, cache });
  expect(peek).toContain("<strong>B</strong>");
  expect(peek).toContain("B: Thu 1 Jan");
  expect(renderInPage(panel, { clock, search, cache })).not.toContain("A, left");
});

const noon = Date.UTC(2026, 0, 1, 6) / 1000;
const shown = { time: noon - 3 * HOUR_S, conditions: {}, meta: undefined };
const notice = (old: boolean, offline: boolean) =>
  renderInPage(
    <OldConditions shown={shown} old={old} offline={offline} readAt={noon - 5 * HOUR_S} time={noon} />,
  ).replaceAll(/<[^>]*>/g, "");

it("says of which time values are, whether others come, and when they were read without a connection", () => {
  expect(notice(false, false)).toBe("");
  expect(notice(false, true)).toBe("Offline. Read Thu 1 Jan 01:00 UTC.");
  expect(notice(true, false)).toBe(
    "As of Thu 1 Jan 03:00 UTC. The values of Thu 1 Jan 06:00 UTC are being read.",
  );
  expect(notice(true, true)).toBe(
    "As of Thu 1 Jan 03:00 UTC, offline. The values of Thu 1 Jan 06:00 UTC were not read.",
  );
});

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

import { expect, it } from "vitest";
import { useView } from "#components/view-state/view-context.tsx";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { nextDefault, useWeatherQuery } from "./use-weather-query.ts";

const now = parseInstant("2026-09-15T06:00:00Z");
const film = "2026-09-14T06:00:00Z";

function Times({ filmPlaying }: { filmPlaying: boolean }) {
  const stepping = { stepHours: undefined, isPlaying: false };
  const weather = useWeatherQuery(TEST_KEY, useView().view, filmPlaying, stepping);
  const text = (time: number | undefined) => (time === undefined ? "none" : formatInstant(time));
  return `now ${text(weather.now)}, answered ${text(weather.answered)}, drawn ${text(weather.drawnTime)}`;
}

function times(search: string, filmPlaying: boolean, secondsSaved = 0): string {
  const manifest = { variable: "wind", now: formatInstant(now), runs: [], secondsSaved };
  const cache = filledCache({ queryKey: ["manifest", TEST_KEY, "wind", undefined] }, manifest);
  return renderInPage(<Times filmPlaying={filmPlaying} />, { search, cache });
}

it("draws nothing of a time while a film plays: ship and isobars would stay at its beginning", () => {
  const search = `storm=sh012026&film=${film}`;
  expect(times(search, false)).toContain(`drawn ${film}`);
  expect(times(search, true)).toContain("drawn none");
});

it("tells the time of now from that of the last answer where a saved one takes its place", () => {
  expect(times("", false)).toContain("now 2026-09-15T06:00:00Z, answered 2026-09-15T06:00:00Z");
  expect(times("", false, 8 * 3600)).toContain("now 2026-09-15T14:00:00Z, answered 2026-09-15T06:00:00Z");
});

const hour = 3600;

it("keeps the time of the first layer when another one is chosen, and follows the clock after an hour", () => {
  const wind = nextDefault(undefined, "wind", 12 * hour, 12.2 * hour);
  expect(wind).toMatchObject({ layer: "wind", time: 12 * hour });
  // Its manifest is on its way, then there: a daily layer whose nearest step is at six o'clock.
  expect(nextDefault(wind, "sst", undefined, undefined)).toBe(wind);
  expect(nextDefault(wind, "sst", 6 * hour, 12.3 * hour)).toBe(wind);
  expect(nextDefault(wind, "wind", 12 * hour, 12.2 * hour)).toBe(wind);
  expect(nextDefault(wind, "sst", 13 * hour, 13.3 * hour)).toMatchObject({ layer: "sst", time: 13 * hour });
});

it("follows the clock while its own layer is shown", () => {
  const early = nextDefault(undefined, "wind", 12 * hour, 12.2 * hour);
  expect(nextDefault(early, "wind", 13 * hour, 12.6 * hour)).toMatchObject({ time: 13 * hour });
});

import { expect, it } from "vitest";
import { useRenderedView } from "#components/view-state/view-context.tsx";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { nextDefault, useWeatherQuery } from "./use-weather-query.ts";

const now = "2026-09-15T06:00:00Z";
const film = "2026-09-14T06:00:00Z";

function Times({ filmPlaying }: { filmPlaying: boolean }) {
  const weather = useWeatherQuery(TEST_KEY, useRenderedView(), filmPlaying, {
    stepHours: undefined,
    isPlaying: false,
  });
  const times = [weather.now, weather.answered, weather.drawnTime];
  return times.map((time) => (time === undefined ? "none" : formatInstant(time))).join(" ");
}

it.each([
  ["the time of a film that rests", `storm=sh012026&film=${film}`, false, 0, [now, now, film]],
  // While a film plays, ship and isobars would otherwise stay at the time of its beginning.
  ["no time while it plays", `storm=sh012026&film=${film}`, true, 0, [now, now, "none"]],
  ["no time before a field is there", "", false, 0, [now, now, "none"]],
  [
    "none of a saved answer, whose time is not that of now",
    "",
    false,
    8 * 3600,
    ["2026-09-15T14:00:00Z", now, "none"],
  ],
] as const)("draws %s", (_, search, filmPlaying, secondsSaved, times) => {
  const manifest = { variable: "wind", now: formatInstant(parseInstant(now)), runs: [], secondsSaved };
  const cache = filledCache(
    { queryKey: ["manifest", TEST_KEY, "wind", null, false, undefined] },
    { ...manifest, model: null },
  );
  expect(renderInPage(<Times filmPlaying={filmPlaying} />, { search, cache })).toBe(times.join(" "));
});

it("keeps the time of the first layer when another one is chosen, and follows the clock after an hour or its own", () => {
  const hour = 3600;
  const wind = nextDefault(undefined, "wind", 12 * hour, 12.2 * hour);
  expect(wind).toMatchObject({ layer: "wind", time: 12 * hour });
  // The manifest is loading, then loaded: a daily layer whose nearest step is at six o'clock.
  expect(nextDefault(wind, "sst", undefined, undefined)).toBe(wind);
  expect(nextDefault(wind, "sst", 6 * hour, 12.3 * hour)).toBe(wind);
  expect(nextDefault(wind, "wind", 12 * hour, 12.2 * hour)).toBe(wind);
  expect(nextDefault(wind, "sst", 13 * hour, 13.3 * hour)).toMatchObject({ layer: "sst", time: 13 * hour });
  expect(nextDefault(wind, "wind", 13 * hour, 12.6 * hour)).toMatchObject({ time: 13 * hour });
});

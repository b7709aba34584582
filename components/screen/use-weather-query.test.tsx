import { expect, it } from "vitest";
import { useView } from "#components/view-state/view-context.tsx";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { useWeatherQuery } from "./use-weather-query.ts";

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

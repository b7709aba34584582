import { expect, it } from "vitest";
import { placesQuery, seriesTimes } from "#components/point/point-queries.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { ForecastPressure } from "./forecast-pressure.tsx";

const now = parseInstant("2026-09-14T07:00:00Z");
const place = { latitude: 48.38, longitude: -4.5 };

it("one request has the pressure of all times that the map is stepped through", () => {
  const times = seriesTimes(now, now);
  const pressures = times.map((time) => ({ Pressure: 1000 + (time - now) / HOUR_S }));
  const cache = filledCache(placesQuery(TEST_KEY, [place], times, ["pressure"]), [pressures]);
  const at = (time: number) =>
    renderInPage(<ForecastPressure place={place} show={(pressure) => pressure} />, {
      clock: { now, time },
      cache,
    });
  expect([0, 1, 30.5, 170].map((hours) => at(now + hours * HOUR_S))).toEqual([
    "1000",
    "1001",
    "1030.5",
    "1170",
  ]);
});

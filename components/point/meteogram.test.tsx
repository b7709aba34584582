import { expect, it } from "vitest";
import { HOUR_S } from "#lib/time.ts";
import { renderInPage } from "#test/render.tsx";
import { Meteogram } from "./meteogram.tsx";

const start = Date.UTC(2026, 8, 15) / 1000;

/** The page of a series of so many hours, in a panel of the usual width. */
function render(hours: number): string {
  const rows = Array.from({ length: hours + 1 }, (_, hour) => ({
    time: start + hour * HOUR_S,
    conditions: {
      Winds_10m_Intensity: 8,
      Winds_10m_Direction: 270,
      Currents_Intensity: 1,
      Currents_Direction: (hour * 29) % 360,
    },
  }));
  return renderInPage(<Meteogram rows={rows} time={start} />, { clock: { now: start, time: start } });
}

it("says what the arrows are of, and why the current has none", () => {
  expect(render(240)).toContain(
    "Arrows point to where these go: wind. Current: no arrows, they would not show the tide.",
  );
  expect(render(48)).toContain("Arrows point to where these go: wind, current. </p>");
});

it("states the direction of the current in words where it has no arrow", () => {
  expect(render(240)).toMatch(/meteogram-readout.*set 000° 1\.9/);
});

import { expect, it } from "vitest";
import { HOUR_S } from "#lib/time.ts";
import { deriveStorms } from "#server/storms/derive.ts";
import { formationAlert, watchList } from "./lists.ts";
import { memoryReader, runSchedule } from "./run-schedule.ts";
import { ascending, type Season } from "./season.ts";

const begin = Date.UTC(2026, 8, 25) / 1000;
const place = { latitude: 9.4, longitude: 144.5 };

/** Two alerts, of which the second one comes in time, and nothing else of their invest while the centre goes on. */
function season(): Season {
  const fixes = [0, 24].map((hour) => begin + hour * HOUR_S);
  const alerts = fixes.map((time) => {
    const issued = time + 5 * HOUR_S;
    return {
      at: issued + 600,
      source: "products/wp98web.txt",
      text: formationAlert({ designator: "98W", time, ...place }, 25, issued),
      says: { storm: 0, base: time, alert: { issued, until: issued + 24 * HOUR_S } },
    };
  });
  const outlooks = Array.from({ length: 12 }, (_, index) => {
    const at = begin + index * 6 * HOUR_S;
    return { at, source: "abioweb.txt", text: watchList("ABIO10", [], at) };
  });
  const given = fixes.map((time) => ({ time, ...place, windKt: 25, radii: {} }));
  const invest = { ids: ["WP982026"], given, tracked: new Set<number>(), forecasts: [], lines: [] };
  return { provider: "jtwc", publications: ascending([...alerts, ...outlooks]), storms: [invest] };
}

const schedule = { start: begin + 6 * HOUR_S, polls: 62, faults: [] };

it("an invest of which alerts alone speak stays with its alert until 6 h beyond the end of the last one", async () => {
  expect(await runSchedule(season(), schedule)).toEqual({ broken: [], polls: 62 });
});

it("notices a reader that ends the invest by its silence since the last fix", async () => {
  const endsEarly: typeof deriveStorms = (input) => {
    const derived = deriveStorms(input);
    const storms = derived.storms.filter(
      ({ bulletin }) => input.now - bulletin.observed.at(-1)!.time <= 18 * HOUR_S,
    );
    return { ...derived, storms };
  };
  const { broken } = await runSchedule(season(), schedule, { ...memoryReader(), derive: endsEarly });
  expect(broken.map(({ what }) => what.split(":")[0])).toContain("alert");
});

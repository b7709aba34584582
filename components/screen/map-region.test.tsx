import { expect, it } from "vitest";
import { renderInPage } from "#test/render.tsx";
import { MapWarnings } from "./map-region.tsx";

const old = { text: "Forecast is 14 h old (GFS 0.25°, 12Z).", grave: false };
const tooOld = { text: "Forecast is 30 h old (GFS 0.25°, 12Z).", grave: true };
const shown = (stale: typeof old | undefined, limit?: string, connection?: string) =>
  renderInPage(<MapWarnings limit={limit} connection={connection} stale={stale} />);

it("shows that a forecast is too old above any other warning", () => {
  expect(shown(tooOld, undefined, "Offline.")).toMatch(/notice-bar grave.*30 h old.*Offline\./);
  expect(shown(tooOld, "Too many requests.")).toMatch(/30 h old.*Too many requests\./);
  expect(shown(tooOld)).toContain("30 h old");
});

it("shows one of the others at a time, the age of a forecast last", () => {
  expect(shown(old, "Too many requests.", "Offline.")).toBe("Too many requests.");
  expect(shown(old, undefined, "Offline.")).toBe("Offline.");
  expect(shown(old)).toContain("14 h old");
  expect(shown(undefined)).toBe("");
});

import { expect, it } from "vitest";
import { utc } from "#components/view-state/civil.ts";
import { parseUnits } from "#components/view-state/view-text.ts";
import type { PointResponse } from "#lib/contract/point.ts";
import { filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { firstNumberHtml } from "./first-number-html.ts";
import { PointPanel, PointPeek } from "./point-panel.tsx";
import { pointQuery } from "./point-queries.ts";

const time = Date.UTC(2026, 0, 1) / 1000;
const place = { latitude: 48.5, longitude: -5.25 };
const conditions = { Winds_10m_Intensity: 12.3, Winds_10m_Direction: 249, Wave_Height: null };
const html = (notice?: string) => firstNumberHtml(conditions, place, time, parseUnits(""), utc, notice);
const page = () => ({
  clock: { now: time, time },
  search: "p=48.5,-5.25",
  cache: filledCache(pointQuery({ apiKey: TEST_KEY, place, time }), {
    results: [{ coordinates: { ...place, timestamp: "2026-01-01T00:00:00Z" }, conditions }],
    meta: { provenance: [], nulls: [] },
  } as unknown as PointResponse["result"]),
});

it("what a page shows before it is alive is what it shows when it is, to the letter", () => {
  const { peek, panel } = html();
  const alive = renderInPage(<PointPeek />, page());
  expect(alive.replace(/ data-testid="peek"/, "").replace('peek-line "', 'peek-line"')).toBe(peek);
  const props = {
    waiting: false,
    loadLand: () => new Promise<never>(() => undefined),
    onPlace: () => undefined,
  };
  // Arrows of directions follow their letters in the HTML; they are removed for the comparison.
  const text = renderInPage(<PointPanel {...props} />, page()).replaceAll(
    /<svg[^>]*direction-glyph.*?<\/svg>/g,
    "",
  );
  expect(panel).toContain("24 kn");
  const [list] = /<dl.*<\/dl>/.exec(panel)!;
  const classes = [...panel.matchAll(/<p (class="[^"]*")>/g)].map(([, name]) => name!);
  for (const part of [list, ...classes, ...panel.match(/>[^<]+<\/p>/g)!]) expect(text).toContain(part);
});

it("says at what time it is, and that numbers are invented, while the rest of the page does not yet", () => {
  const { peek, panel } = html("Invented.");
  expect(panel).toContain("Invented.");
  expect(peek).toContain("48°30.0′N 005°15.0′W · Thu 1 Jan 00:00 UTC. Invented.</p>");
});

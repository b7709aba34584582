import { expect, it } from "vitest";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { failedCache, filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { aheadPoint, BASE, stormOf } from "#test/storms.ts";
import { StormPanel } from "./storm-panel.tsx";
import { StormPeek } from "./storm-peek.tsx";
import { stormsQuery } from "./storm-queries.ts";
import { StormsProvider } from "./storms-context.tsx";

const clock = { now: BASE, time: BASE };
const query = stormsQuery(TEST_KEY, "jtwc");
const panel = (
  <StormsProvider enabled={true}>
    <StormPanel onShow={() => undefined} />
    <StormPeek />
  </StormsProvider>
);
const storm = stormOf([
  aheadPoint(0, { latitude: 24, longitude: -58 }),
  aheadPoint(24, { latitude: 28, longitude: -62 }),
]);
const invest = stormOf([aheadPoint(0, { latitude: 12, longitude: -30 }, { type: "DB", vmax_kt: 25 })], {
  id: "AL902026",
  name: "INVEST",
  is_invest: true,
});

it("announces that it waits", () => {
  expect(renderInPage(panel, { clock })).toMatch(/role="status">Reading the bulletins…/);
});

it("shows a failure as an alert with a way to try again, and no quiet sea", async () => {
  const cache = await failedCache(query, new ServiceError("The server could not be reached.", 0));
  const html = renderInPage(panel, { clock, cache });
  expect(html).toMatch(/role="alert".*The server could not be reached\..*Try again/);
  expect(html).not.toContain("No active storms");
});

it("reports a provider that was never read, and no quiet sea", async () => {
  const cache = await failedCache(query, new ServiceError("No bulletins", 503));
  const html = renderInPage(panel, { clock, cache });
  expect(html).toContain("This server has no storm bulletins of this provider yet.");
  expect(html).not.toContain("No active storms");
});

it("states that the provider has no active storms", () => {
  const html = renderInPage(panel, { clock, cache: filledCache(query, { entries: [], ageSeconds: 60 }) });
  expect(html).toContain("No active storms from JTWC or NHC.");
  expect(html).toContain("No storms to show.");
});

it("lists the storms, without invests where the link hides them, and warns of an old feed", () => {
  const cache = filledCache(query, { entries: [storm, invest], ageSeconds: 15 * 3600 });
  const html = renderInPage(panel, { clock, cache, search: "p=24,-57" });
  expect(html).toMatch(/DEMOALFA.*Hurricane, category 1, 70 kt \(1-minute mean\)/);
  expect(html).toMatch(/55 n mi from your point, bearing 270°/);
  expect(html).toContain("Invest 90L (unnamed)");
  expect(html).toContain("The newest text of this provider is 15 h old");
  expect(renderInPage(panel, { clock, cache, search: "inv=false" })).not.toContain("Invest 90L");
});

it("opens the storm of the link with its forecast and danger area", () => {
  const cache = filledCache(query, { entries: [storm], ageSeconds: 60 });
  const html = renderInPage(panel, { clock, cache, search: "storm=AL012026&danger=classic" });
  expect(html).toContain('aria-label="Storm DEMOALFA"');
  expect(html).toContain("Forecast, winds as 1-minute means");
  expect(html).toContain("It does not remove all risk.");
  expect(html).toContain("Click the map where you are");
});

it("says how far seas of 12 ft reach, where they are given", () => {
  const seas = { sea_radii_km: { "12ft": { ne: 333.4, se: 222.2, sw: 0, nw: 111.1 } } };
  const rough = stormOf([
    aheadPoint(0, { latitude: 24, longitude: -58 }, seas),
    aheadPoint(24, { latitude: 26, longitude: -60 }),
  ]);
  const shown = (entry: typeof storm) =>
    renderInPage(panel, {
      clock,
      cache: filledCache(query, { entries: [entry], ageSeconds: 60 }),
      search: "storm=AL012026",
    }).replaceAll("<!-- -->", "");
  expect(shown(rough)).toContain("NE 180 SE 120 SW 0 NW 60 n mi, dotted on the map");
  expect(shown(rough)).toContain("12 ft seas NE 180 SE 120 SW 0 NW 60");
  expect(shown(storm)).not.toContain("12 ft");
});

it("warns on the card of a forecast whose successors are missing, and of a storm without news", () => {
  const { forecast, observed } = storm.tracks;
  const html = (more: Partial<typeof storm>) =>
    renderInPage(panel, {
      clock: { ...clock, now: forecast!.issued_at + 18 * 3600 },
      cache: filledCache(query, { entries: [{ ...storm, ...more }], ageSeconds: 60 }),
      search: "storm=AL012026",
    });
  const stale = { observed, forecast: { ...forecast!, is_stale: true } };
  expect(html({ tracks: stale })).toContain("Forecast of 18 h ago: newer bulletins are missing.");
  const bulletinAt = forecast!.issued_at - 6 * 3600;
  expect(html({ tracks: { observed }, is_overdue: true, bulletin_at: bulletinAt })).toMatch(
    /Nothing new about this storm since 24 h ago: .* An older forecast is not shown\./,
  );
  expect(html({ aliases: ["AL902026"] })).toContain("Also known as AL902026");
  expect(html({})).not.toMatch(/are missing|Nothing new|Also known/);
});

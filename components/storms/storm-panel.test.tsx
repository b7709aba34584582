import { expect, it } from "vitest";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { failedCache, filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { aheadPoint, BASE, stormOf } from "#test/storms.ts";
import { StormPanel } from "./storm-panel.tsx";
import { StormPeek } from "./storm-peek.tsx";
import { outlooksQuery, stormsQuery } from "./storm-queries.ts";
import { StormsProvider } from "./storms-context.tsx";

const clock = { now: BASE, time: BASE };
const query = stormsQuery(TEST_KEY, "jtwc");
const panel = (
  <StormsProvider enabled={true}>
    <StormPanel onShow={() => undefined} onShowPlace={() => undefined} />
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

const area = {
  id: "ABNT20-1",
  storm_id: null,
  designation: null,
  name: "Central Tropical Atlantic",
  likelihood: "medium",
  within_hours: 168,
  percent_48h: 20,
  percent_7d: 60,
  place: { lat: 12, lon: -40 },
  polygon: null,
  winds_kt: null,
  mslp_hpa: null,
  text: "A wave may develop.",
} as const;
const outlook = {
  product: "ABNT20",
  agency: "nhc",
  basins: ["north_atlantic"],
  issued_at: BASE - 3 * 3600,
  valid_until: null,
  areas: [area],
  systems: [],
} as const;

it("lists where storms may form with likelihood and age, and basins in which none is expected", () => {
  const cache = filledCache(query, { entries: [storm], ageSeconds: 60 });
  const west = { ...outlook, product: "ABPW10", agency: "jtwc", basins: ["west_pacific"], areas: [] };
  cache.setQueryData(outlooksQuery(TEST_KEY).queryKey, [outlook, west] as never);
  const html = renderInPage(panel, { clock, cache, search: "p=12,-39" });
  expect(html).toMatch(/Central Tropical Atlantic.*Medium likelihood: 20 % in 48 h, 60 % in 7 days/);
  expect(html).toMatch(/59 n mi from your point/);
  expect(html).toContain("Issued 3 h ago");
  expect(html).toContain("West Pacific: JTWC expects no development");
  expect(renderInPage(panel, { clock, cache, search: "inv=false" })).not.toContain("Areas of interest<");
});

it("says that it is unknown whether storms may form where no outlook was received", () => {
  const cache = filledCache(query, { entries: [storm], ageSeconds: 60 });
  cache.setQueryData(outlooksQuery(TEST_KEY).queryKey, []);
  expect(renderInPage(panel, { clock, cache })).toContain("whether storms may form is unknown");
});

it("opens the area of the link with what the agency wrote", () => {
  const cache = filledCache(query, { entries: [storm], ageSeconds: 60 });
  cache.setQueryData(outlooksQuery(TEST_KEY).queryKey, [outlook] as never);
  const html = renderInPage(panel, { clock, cache, search: "storm=ABNT20-1" });
  expect(html).toContain('aria-label="Area Central Tropical Atlantic"');
  expect(html).toContain("A wave may develop.");
});

it("the card of an invest has its formation alert, and tells when its time has passed", () => {
  const alerted = {
    ...invest,
    formation_alert: {
      issued_at: BASE - 26 * 3600,
      valid_until: BASE - 2 * 3600,
      bulletin: "WTPN21",
      likelihood: "high" as const,
      line: [
        { lat: 12, lon: -30 },
        { lat: 14, lon: -34 },
      ],
      half_width_km: 222.2,
      corridor: [],
      winds_kt: { min: 20, max: 25 },
      mslp_hpa: 1004,
      heading_deg: 292.5,
      speed_kmh: 14.8,
      text: "FORMATION IS POSSIBLE",
    },
  };
  const cache = filledCache(query, { entries: [alerted], ageSeconds: 60 });
  const html = renderInPage(panel, { clock, cache, search: "storm=AL902026" });
  expect(html).toMatch(/Formation alert of JTWC.*120 n mi on both sides of a line.*20 to 25 kt/);
  expect(html).toContain("no successor was received yet");
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

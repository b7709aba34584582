import { expect, it } from "vitest";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { zoneOf } from "#components/view-state/civil.ts";
import { formatTime } from "#components/view-state/format-time.ts";
import { en } from "#test/all-words.ts";
import { failedCache, filledCache, renderInPage, TEST_KEY } from "#test/render.tsx";
import { amongStorms, stormPanel } from "#test/storm-panel.tsx";
import { aheadPoint, BASE, stormOf, trackPoint } from "#test/storms.ts";
import { FilmBar } from "./film-bar.tsx";
import { outlooksQuery, stormHistoryQuery, stormsQuery } from "./storm-queries.ts";

const clock = { now: BASE, time: BASE };
const query = stormsQuery(TEST_KEY, "jtwc");
const storm = stormOf([
  aheadPoint(0, { latitude: 24, longitude: -58 }),
  aheadPoint(24, { latitude: 28, longitude: -62 }),
]);
const invest = stormOf([aheadPoint(0, { latitude: 12, longitude: -30 }, { type: "DB", vmax_kt: 25 })], {
  id: "AL902026",
  name: "INVEST",
  is_invest: true,
});

it("shows a failure as an alert with a way to try again, and no quiet sea", async () => {
  const cache = await failedCache(query, new ServiceError("The server could not be reached.", 0));
  const html = renderInPage(stormPanel, { clock, cache });
  expect(html).toMatch(/role="alert".*The server could not be reached\..*Try again/);
  expect(html).not.toContain("No active storms");
});

it("reports a provider that was never read, and no quiet sea", async () => {
  const cache = await failedCache(query, new ServiceError("No bulletins", 503));
  const html = renderInPage(stormPanel, { clock, cache });
  expect(html).toContain("This server has no storm bulletins of this provider yet.");
  expect(html).not.toContain("No active storms");
});

it("states that the provider has no active storms", () => {
  const html = renderInPage(stormPanel, {
    clock,
    cache: filledCache(query, { entries: [], ageSeconds: 60 }),
  });
  expect(html).toContain("No active storms from JTWC or NHC.");
  expect(html).toContain("No storms to show.");
});

it("lists the storms, without invests where the link hides them, and warns of an old feed", () => {
  const cache = filledCache(query, { entries: [storm, invest], ageSeconds: 15 * 3600 });
  const html = renderInPage(stormPanel, { clock, cache, search: "p=24,-57" });
  expect(html).toContain("JTWC and NHC · 1-minute winds");
  expect(html).toMatch(
    /DEMOALFA.*Hurricane, category 1, 70 kn.*Moving towards 285°.*Moving away: 55 n mi, now; /,
  );
  expect(html).toContain("Measured from your point");
  expect(html).toContain("Invest 90L (unnamed)");
  expect(html).not.toContain("Bulletin ");
  expect(html).toContain("The newest text of this provider is 15 h old");
  expect(renderInPage(stormPanel, { clock, cache, search: "inv=false" })).not.toContain("Invest 90L");
});

it("opens the storm of the link with its forecast and danger area", () => {
  const cache = filledCache(query, { entries: [storm], ageSeconds: 60 });
  const html = renderInPage(stormPanel, { clock, cache, search: "storm=AL012026&danger=classic" });
  expect(html).toContain('aria-label="Storm DEMOALFA"');
  expect(html).toContain("Forecast, winds as 1-minute means");
  expect(html).toContain("It does not remove all risk.");
  expect(html).toContain("Click a place on the map, or pin my ship");
});

it("opens the storm of a link by an id that it had before, such as that of its invest", () => {
  const cache = filledCache(query, { entries: [{ ...storm, aliases: ["AL902026"] }], ageSeconds: 60 });
  const html = renderInPage(stormPanel, { clock, cache, search: "storm=AL902026" });
  expect(html).toContain('aria-label="Storm DEMOALFA"');
  // The number has been reassigned to another invest.
  cache.setQueryData(query.queryKey, {
    entries: [{ ...storm, aliases: ["AL902026"] }, invest],
    ageSeconds: 60,
  });
  const other = renderInPage(stormPanel, { clock, cache, search: "storm=AL902026" });
  expect(other).not.toContain('aria-label="Storm DEMOALFA"');
});

it("the closest approach tells which forecast it is worked out from and that it is old, or that there is none", () => {
  const shown = (tracks: typeof storm.tracks) => {
    const cache = filledCache(query, { entries: [{ ...storm, tracks }], ageSeconds: 60 });
    return renderInPage(stormPanel, { clock, cache, search: "storm=AL012026&p=24,-57" });
  };
  const forecast = { ...storm.tracks.forecast!, issued_at: BASE - 13 * 3600, is_stale: true };
  const old = shown({ ...storm.tracks, forecast });
  expect(old).toContain("Calculated from a forecast that is 13 h old.");
  expect(old).toContain("Newer forecasts are missing: the storm may come nearer than this.");
  expect(shown(storm.tracks)).not.toContain("Newer forecasts are missing");
  const none = shown({ observed: storm.tracks.observed });
  expect(none).toContain(
    "There is no forecast to work it out from: that does not mean that the storm stays away.",
  );
  expect(none).toMatch(/Last located .*, 55 n mi from your point/);
  const list = renderInPage(stormPanel, {
    clock,
    cache: filledCache(query, {
      entries: [{ ...storm, tracks: { observed: storm.tracks.observed } }],
      ageSeconds: 60,
    }),
    search: "p=24,-57",
  });
  expect(list).toContain("No forecast; now 55 n mi, bearing 270°");
});

/** A cache with the storm and its bulletins of the last six hours. */
function filledWithHistory(listed = [storm]) {
  const cache = filledCache(query, { entries: listed, ageSeconds: 60 });
  const observed = [-12, -6, 0].map((hour) =>
    trackPoint(hour, { latitude: 24, longitude: -58 - hour / 6 }, { vmax_kt: 70 + hour }),
  );
  const bulletins = [-6, 0].map((hour) => ({
    issued_at: BASE + hour * 3600,
    entry: {
      ...storm,
      tracks: { ...storm.tracks, observed: observed.filter(({ time }) => time <= BASE + hour * 3600) },
    },
  }));
  cache.setQueryData(stormHistoryQuery(TEST_KEY, "jtwc", storm.id).queryKey, { results: bulletins });
  return cache;
}
const bar = (
  <>
    {amongStorms(<FilmBar weather="Wind: of the same time as the film." />)}
    {stormPanel}
  </>
);

it("opens the film of the link at its time, and states wind, bulletin and weather there", () => {
  const html = renderInPage(bar, {
    clock,
    cache: filledWithHistory(),
    search: "storm=AL012026&film=2026-09-15T09:00:00Z",
  });
  expect(html).toMatch(/DEMOALFA, <\/span>Tue 15 Sep 2026 09:00 UTC/);
  expect(html).toContain("Hurricane, category 1 · 67 kn (1-minute mean) · bulletin 1 of 2");
  expect(html).toContain("Wind: of the same time as the film.");
  expect(html).toMatch(/aria-label="Play the film"/);
  // The card shows the bulletin in force at that time, which is not late.
  expect(html).not.toMatch(/are missing|newest report/);
  expect(html).toContain("64 kn (1-minute mean)");
  expect(html).not.toContain("Closest approach");
  // On a phone the low panel must not present the bulletin's winds as those of the film.
  expect(html).toMatch(/64 kn \(1-minute mean\)<span[^>]*>In the bulletin of \w+ \d+ Sep \d\d:00</);
});

it("opens a storm that the list no longer has from its bulletins, without a forecast", () => {
  const html = renderInPage(stormPanel, { clock, cache: filledWithHistory([]), search: "storm=AL012026" });
  expect(html).toContain('aria-label="Storm DEMOALFA"');
  expect(html).toContain("No longer tracked");
  expect(html).not.toContain("Forecast, winds as 1-minute means");
});

it("reports a storm of a link of which nothing is stored", async () => {
  const cache = await failedCache(
    stormHistoryQuery(TEST_KEY, "jtwc", "AL992026"),
    new ServiceError("Storm not found", 404),
  );
  cache.setQueryData(query.queryKey, { entries: [storm], ageSeconds: 60 });
  const html = renderInPage(stormPanel, { clock, cache, search: "storm=AL992026" });
  expect(html).toContain("This server has no bulletins of the storm AL992026");
  expect(html).toContain("DEMOALFA");
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
  const html = renderInPage(stormPanel, { clock, cache, search: "p=12,-39" });
  expect(html).toMatch(/Central Tropical Atlantic.*Medium likelihood: 20 % in 48 h, 60 % in 7 days/);
  expect(html).toMatch(/59 n mi from your point/);
  expect(html).toContain("Issued 3 h ago");
  expect(html).toContain("West Pacific: JTWC expects no development");
  const issuedOnBoard = formatTime(outlook.issued_at, undefined, zoneOf("ship", 150, en));
  expect(renderInPage(stormPanel, { clock, cache, search: "tz=ship&p=12,150" })).toContain(
    `(issued ${issuedOnBoard})`,
  );
  expect(renderInPage(stormPanel, { clock, cache, search: "inv=false" })).not.toContain("Areas of interest<");
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
  const html = renderInPage(stormPanel, { clock, cache, search: "storm=AL902026" });
  expect(html).toMatch(/Formation alert of JTWC.*120 n mi on both sides of a line.*20 to 25 kn/);
  expect(html).toContain("no newer text was received yet");
});

it("warns on the card of a forecast whose successors are missing, and of a storm without news", () => {
  const { forecast, observed } = storm.tracks;
  const html = (more: Partial<typeof storm>) =>
    renderInPage(stormPanel, {
      clock: { ...clock, now: forecast!.issued_at + 18 * 3600 },
      cache: filledCache(query, { entries: [{ ...storm, ...more }], ageSeconds: 60 }),
      search: "storm=AL012026",
    });
  const stale = { observed, forecast: { ...forecast!, is_stale: true } };
  expect(html({ tracks: stale })).toContain("The forecast is 18 h old: newer bulletins are missing.");
  const bulletinAt = forecast!.issued_at - 6 * 3600;
  expect(html({ tracks: { observed }, is_overdue: true, bulletin_at: bulletinAt })).toMatch(
    /The newest report of this storm is 24 h old: .* An older forecast is not shown\./,
  );
  expect(html({ aliases: ["AL902026"] })).toContain("Also known as AL902026");
  expect(html({})).not.toMatch(/are missing|newest report|Also known/);
});

it("announces that it waits", () => {
  expect(renderInPage(stormPanel, { clock })).toMatch(/role="status">Reading the bulletins…/);
});

it.each(["nonsense", "ABNT20-9"])("says of a link to %s, which is no storm, that there is none", (id) => {
  const cache = filledCache(query, { entries: [storm], ageSeconds: 60 });
  cache.setQueryData(outlooksQuery(TEST_KEY).queryKey, [outlook] as never);
  const html = renderInPage(stormPanel, { clock, cache, search: `storm=${id}` });
  expect(html).toContain(`This server has no bulletins of the storm ${id}`);
});

it("opens the storm of a link in small letters, and an invest that the list leaves out", () => {
  const cache = filledCache(query, { entries: [storm, invest], ageSeconds: 60 });
  const opened = (search: string) => renderInPage(stormPanel, { clock, cache, search });
  expect(opened("storm=al012026")).toContain('aria-label="Storm DEMOALFA"');
  expect(opened("storm=AL902026&inv=false")).toContain("Invest 90L");
});

it("says that it is unknown whether storms may form where no outlook was received", () => {
  const cache = filledCache(query, { entries: [storm], ageSeconds: 60 });
  cache.setQueryData(outlooksQuery(TEST_KEY).queryKey, []);
  expect(renderInPage(stormPanel, { clock, cache })).toContain("whether storms may form is unknown");
});

it("opens the area of the link with what the agency wrote", () => {
  const cache = filledCache(query, { entries: [storm], ageSeconds: 60 });
  cache.setQueryData(outlooksQuery(TEST_KEY).queryKey, [outlook] as never);
  const html = renderInPage(stormPanel, { clock, cache, search: "storm=ABNT20-1" });
  expect(html).toContain('aria-label="Area Central Tropical Atlantic"');
  expect(html).toContain("A wave may develop.");
});

it("says how far seas of 12 ft reach, where they are given", () => {
  const seas = { sea_radii_km: { "12ft": { ne: 333.4, se: 222.2, sw: 0, nw: 111.1 } } };
  const rough = stormOf([
    aheadPoint(0, { latitude: 24, longitude: -58 }, seas),
    aheadPoint(24, { latitude: 26, longitude: -60 }),
  ]);
  const shown = (entry: typeof storm) =>
    renderInPage(stormPanel, {
      clock,
      cache: filledCache(query, { entries: [entry], ageSeconds: 60 }),
      search: "storm=AL012026",
    }).replaceAll("<!-- -->", "");
  expect(shown(rough)).toContain("NE 180 SE 120 SW 0 NW 60 n mi, dotted on the map");
  expect(shown(rough)).toContain("12 ft seas NE 180 SE 120 SW 0 NW 60");
  expect(shown(storm)).not.toContain("12 ft");
});

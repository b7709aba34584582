import { afterAll, beforeAll, expect, it } from "vitest";
import type { TideStation } from "#lib/contract/tides.ts";
import { parseInstant } from "#lib/time.ts";
import { openQueues } from "#server/http/queues.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { openTides } from "#server/tides/tides.ts";
import { ask, connectWeather, textOf } from "#test/send.ts";
import { inTurn } from "./tides.ts";

const now = parseInstant("2026-09-14T07:00:00Z");
const tides = openTides({ nonCommercial: false });

const limited = { "good-key": { count: 9_999, periodSeconds: 60, text: "9999 per 1 minute" } };

beforeAll(() => {
  connectWeather(now, { tides }, limited);
});
afterAll(() => tides.close());

const get = (target: string, headers = {}) => ask("GET", target, { headers });
const json = async (target: string, headers = {}) => JSON.parse(await textOf(await get(target, headers)));

const BREST = "ticon:brest-822-fra-uhslc_fd";

it("finds the nearest station of a kind with its distance, and its credit", async () => {
  const answer = await json("/tides?lat=48.3&lon=-4.6");
  expect(answer.station).toMatchObject({ id: BREST, name: "Brest", timezone: "Europe/Paris" });
  expect(answer.station.distance_km).toBeCloseTo(11.8, 0);
  expect(answer.attribution).toContain("TICON-4");
  expect(answer.datum).toBe("LAT");
  const stream = await json("/tides?kind=stream&lat=37.8&lon=-122.5");
  expect(stream).toMatchObject({ kind: "stream", station: { kind: "stream", datum: null } });
});

it("says that no station is near enough, and which would be the nearest, rather than answer a far one", async () => {
  const reply = await get("/tides?lat=-50&lon=-130");
  expect(reply.status).toBe(404);
  const { detail } = JSON.parse(await textOf(reply));
  expect(detail).toContain("no tide station within 40 km of this place by water");
  expect(detail).toMatch(/The nearest: .* \(noaa:TPT2847\), 2770 km away towards \d{3}°;/);
});

it("lists stations by name, around a place, in a box and in pages", async () => {
  const named = await json("/tides/stations?search=southampton&kind=tide&limit=1");
  expect(named.results[0]).toMatchObject({ id: "ticon:southampton-sou-gbr-da_idh", datum: "LAT" });
  const near = await json("/tides/stations?lat=-18.1&lon=178.4&limit=2");
  expect(near.results[0]).toMatchObject({
    id: "noaa:1910000",
    distance_km: expect.any(Number),
    water_km: expect.any(Number),
  });
  // Auckland's stations, 12 km away over land, come after the one on Manukau's own water.
  const isthmus = await json("/tides/stations?lat=-36.96&lon=174.75&kind=tide&limit=2");
  expect(isthmus.results.map(({ name, water_km }: TideStation) => [name, water_km])).toEqual([
    ["Manukau", expect.any(Number)],
    ["Auckland", null],
  ]);
  const boxed = await json("/tides/stations?bbox=177,-20,-178,-15");
  expect(boxed.results.map(({ id }: { id: string }) => id)).toContain("noaa:1910000");
  const first = await get("/tides/stations?bbox=-180,-90,180,90&limit=1000");
  const { results, total } = JSON.parse(await textOf(first));
  expect([results.length, total > 8000]).toEqual([1000, true]);
  expect(first.headers.link).toContain("offset=1000");
  const last = await get(`/tides/stations?offset=${total - 1}`);
  expect(last.headers.link).toBeUndefined();
});

it("answers a station as JSON, CSV, GeoJSON and calendar of a month", async () => {
  const target = `/tides/${BREST}`;
  const { extremes } = await json(target);
  const csv = await textOf(await get(`${target}?step=60`, { accept: "text/csv" }));
  const rows = csv.trim().split("\r\n");
  expect(rows[0]).toBe("time,height_m,event,datum,station,notice,coefficient");
  expect(rows).toHaveLength(1 + 48 + extremes.length);
  expect(csv).toContain(`${extremes[0].time},${extremes[0].height_m},${extremes[0].type},LAT,${BREST},`);
  const feature = await json(`${target}?f=geojson`);
  expect(feature).toMatchObject({ type: "Feature", id: BREST, geometry: { coordinates: [-4.5, 48.383] } });
  const calendar = await get(`${target}?f=ics`);
  expect(calendar.headers["content-type"]).toBe("text/calendar; charset=utf-8");
  const text = await textOf(calendar);
  expect(text.match(/SUMMARY:High water/g)!.length).toBeGreaterThan(58);
  expect(text.match(/SUMMARY:Low water/g)!.length).toBeGreaterThan(58);
  expect(text.match(/TRIGGER:-PT30M/g)).toHaveLength(text.match(/BEGIN:VEVENT/g)!.length);
  expect(await textOf(await get(`${target}?f=ics&to=2026-09-15`))).toContain(
    "SUMMARY:High water 6.6 m\\, coefficient 89\\, Brest",
  );
});

it("where coefficients are known they stand beside high waters in CSV and calendars", async () => {
  const span = "from=2026-09-14&to=2026-09-16";
  const { extremes } = await json(`/tides/${BREST}?${span}`);
  const [columns, ...rows] = (await textOf(await get(`/tides/${BREST}?${span}&f=csv`))).trim().split("\r\n");
  expect(columns).toBe("time,height_m,event,datum,station,notice,coefficient");
  expect(rows.map((row) => row.split(",").at(-1))).toEqual(
    extremes.map(({ coefficient }: { coefficient?: number }) => String(coefficient ?? "")),
  );
  const summaries = (await textOf(await get(`/tides/${BREST}?${span}&f=ics`))).match(/^SUMMARY.*/gm)!;
  expect(summaries.map((line) => line.match(/coefficient (\d+)/)?.[1])).toEqual(
    extremes.map(({ coefficient }: { coefficient?: number }) => coefficient && String(coefficient)),
  );
  expect((await textOf(await get("/tides/noaa:8443970?f=csv"))).split("\r\n")[0]).toBe(
    "time,height_m,event,datum,station,notice",
  );
});

it("a calendar is the same each time that it is read, and not sent again to whoever has it", async () => {
  const read = (etag?: string) =>
    get(`/tides/${BREST}?f=ics&from=2026-09-14&to=2026-09-15`, etag ? { "if-none-match": etag } : {});
  const first = await read();
  const text = await textOf(first);
  connectWeather(now + 7200, { tides }, limited);
  const second = await read();
  expect([await textOf(second), second.headers.etag]).toEqual([text, first.headers.etag]);
  expect((await read(first.headers.etag)).status).toBe(304);
  connectWeather(now, { tides }, limited);
});

it("a calendar rings as long before as is asked, or not at all; without events it still has a component", async () => {
  const calendar = async (query: string) => textOf(await get(`/tides/${query}&f=ics`));
  expect(await calendar(`${BREST}?alarm=45`)).toContain("TRIGGER:-PT45M");
  expect(await calendar(`${BREST}?alarm=0`)).not.toContain("VALARM");
  const none = await calendar("ticon:stockholm-826-swe-uhslc_fd?to=2026-09-15");
  expect(none).not.toContain("VEVENT");
  expect(none).toMatch(/BEGIN:VTIMEZONE[\s\S]*END:VTIMEZONE\r\nEND:VCALENDAR\r\n$/);
});

it("entries of calendars above another datum or with other differences are others, and link to what they are of", async () => {
  const queries = [
    "",
    "&datum=MSL",
    "&high_m=0.4",
    "&high_m=0.5",
    "&high_m=0.4&low_m=-0.1",
    "&high_minutes=5",
    "&datum=MSL&high_m=0.4",
  ];
  const uids: string[] = [];
  for (const query of queries) {
    const text = await textOf(await get(`/tides/${BREST}?f=ics&from=2026-09-14&to=2026-09-15${query}`));
    const lines = text.replaceAll("\r\n ", "").split("\r\n");
    uids.push(...lines.filter((line) => line.startsWith("UID:")));
    const [link = ""] = lines.filter((line) => line.startsWith("URL"));
    expect(link.endsWith(`/tides/${BREST}${query.replace("&", "?")}`), link).toBe(true);
  }
  expect(uids.length).toBeGreaterThan(6 * queries.length);
  expect(new Set(uids).size).toBe(uids.length);
  // Entries without differences keep the name by which programs identify them.
  expect(uids[0]).toMatch(/-(high|low)@open-metocean$/);
});

it("every row and entry of a secondary port of one's own says its differences", async () => {
  const target = `/tides/${BREST}?high_minutes=12&low_minutes=-5&high_m=-0.3`;
  const said = "high water +12 min, -0.3 m; low water -5 min, 0 m";
  expect(await json(target)).toMatchObject({
    station: { id: BREST, name: "Brest, with differences", reference: { id: BREST, name: "Brest" } },
    differences: { high_minutes: 12, low_minutes: -5, high_m: -0.3, low_m: 0 },
  });
  const rows = (await textOf(await get(`${target}&f=csv`))).trim().split("\r\n").slice(1);
  for (const row of rows) expect(row).toContain(said);
  const calendar = (await textOf(await get(`${target}&f=ics`))).replaceAll("\r\n ", "");
  const entries = calendar.match(/^DESCRIPTION:.*above LAT.*$/gm)!;
  for (const entry of entries) expect(entry.replaceAll("\\", "")).toContain(said);
});

it("asks the thread one question at a time, of one caller few, and none of a caller who has left", async () => {
  const queues = openQueues(100);
  const asked: string[] = [];
  const answers: (() => void)[] = [];
  const question = (owner: string, aborter = new AbortController()) =>
    inTurn(
      {
        caller: { owner },
        context: { queues, tides },
        request: { aborter, arrived: monotonicMs() },
      } as never,
      () => new Promise<void>((resolve) => answers.push(() => resolve(void asked.push(owner)))),
    );
  const left = new AbortController();
  const first = question("one");
  const gone = question("two", left);
  left.abort(new Error("left"));
  await expect(gone).rejects.toThrow("left");
  const waiting = Array.from({ length: 16 }, () => question("one"));
  await expect(question("one")).rejects.toMatchObject({ name: "OverloadError", retryAfter: 5 });
  const other = question("three");
  expect(answers).toHaveLength(1);
  const all = Promise.all([first, other, ...waiting]);
  while (asked.length < 18) {
    answers[asked.length]!();
    await nextTurn();
  }
  await all;
  expect([asked.filter((owner) => owner === "two"), asked.indexOf("three") < 3]).toEqual([[], true]);
});

it.each([
  ["/tides/noaa:1", 404, "There is no such station: GET /tides/stations lists them"],
  [
    `/tides/${BREST}?from=3000-01-01T00:00:00Z`,
    422,
    "from: Predictions are available for the years 1900 to 2100",
  ],
  [`/tides/${BREST}?from=2026-02-30`, 422, "from: Input should be a UTC time"],
  [`/tides/${BREST}?datum=CRD`, 422, "datum: this station has heights above HAT, LAT, MHHW"],
  [`/tides/${BREST}?step=0`, 422, "step: "],
  [`/tides/${BREST}?from=2026-01-01&to=2026-12-31&step=1`, 422, "step: at most 15000 values"],
  [`/tides/${BREST}?from=2026-01-02&to=2026-01-01T00:00:00Z`, 422, "to: it should be after from"],
  [`/tides/${BREST}?from=2026-01-01&to=2027-06-01`, 422, "to: it should be at most 366 days after from"],
  ["/tides?lat=91&lon=0", 422, "lat: "],
  ["/tides/stations?lat=1", 422, "lon: Give both lat and lon, or neither"],
  ["/tides/now?bbox=0,50,10,40", 422, "bbox: "],
  ["/tides/now", 422, "bbox: "],
])("refuses %s in words", async (target, status, words) => {
  const reply = await get(target);
  const { detail } = JSON.parse(await textOf(reply));
  const told =
    typeof detail === "string"
      ? detail
      : `${detail[0].loc.at(-1)}: ${detail[0].msg.replace("Value error, ", "")}`;
  expect([reply.status, told]).toEqual([status, expect.stringContaining(words)]);
});

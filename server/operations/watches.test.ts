import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { type AlertList, type Watch, watchLimits } from "#lib/contract/watch.ts";
import { DAY_S } from "#lib/time.ts";
import type { Context } from "#server/context.ts";
import { openGuests } from "#server/http/guests.ts";
import { realClock } from "#server/platform/clock.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { Catalog } from "#server/tides/catalog.ts";
import { type ExtremesQuestion, tideExtremes } from "#server/tides/extremes.ts";
import { type LimitQuestion, tideBeyond } from "#server/tides/limit.ts";
import type { KnownWorld } from "#server/watches/evaluate.ts";
import { WatchRounds } from "#server/watches/rounds.ts";
import { AlertStore, WatchStore } from "#server/watches/store.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { testContext, testRequestContext } from "#test/http.ts";
import { windRun } from "#test/metocean.ts";
import { ask, connectContext, textOf } from "#test/send.ts";
import { FIRST_RUN, galeWatch, worldAt } from "#test/watches.ts";

const stations = new Catalog(false);

describeWithDatabase("watches through the API", (fresh) => {
  let database: Database;
  let world: KnownWorld;
  let poll: () => Promise<void>;
  beforeAll(async () => {
    database = await openDatabase(await fresh());
    const store = new WatchStore(database.prisma);
    const look = async () => world;
    const rounds = new WatchRounds({
      store,
      lead: database.lead,
      look,
      log: { warn: () => {} },
    });
    poll = () => rounds.poll();
    const wide = { count: 1e6, periodSeconds: 60, text: "1000000 per 1 minute" };
    const requestContext = testRequestContext({ "good-key": wide, "other-key": wide });
    const guests = openGuests({
      mode: "api",
      limit: wide,
      secret: "0123456789abcdef",
      clock: requestContext.clock,
      publicUrl: "http://localhost",
      isProxied: false,
    });
    connectContext(
      testContext({
        ...requestContext,
        // The clock is that of a service with an embedded database, whose weather clock is frozen in the past
        // (test/http.ts).
        clock: realClock,
        guests,
        tides: {
          beyond: async (id: string, asked: LimitQuestion) =>
            tideBeyond(stations, stations.station(id), asked),
          extremes: async (id: string, asked: ExtremesQuestion) =>
            tideExtremes(stations, stations.station(id), asked),
        },
        archive: {
          manifest: async () => ({ version: 1, runs: [windRun("a", "Forecast", [0, 24])] }),
        } as Context["archive"],
        watches: { store, alerts: new AlertStore(database.prisma), look },
      }),
    );
  });
  afterAll(() => database?.close());
  beforeEach(async () => {
    world = worldAt({ at: FIRST_RUN, gusts: [10, 31, 42, 28] });
    await database.prisma.watch.deleteMany();
    await database.prisma.alert.deleteMany();
  });

  async function send<Body>(method: string, target: string, body?: object, key = "good-key") {
    const reply = await ask(method, target, { body, headers: { "x-api-key": key === "" ? undefined : key } });
    const text = await textOf(reply);
    return {
      status: reply.status,
      headers: reply.headers,
      json: (text === "" ? undefined : JSON.parse(text)) as Body,
    };
  }

  it("one is made, evaluated, changed, tested and deleted", async () => {
    const made = await send<Watch>("POST", "/watches", galeWatch);
    expect([made.status, made.headers.location]).toEqual([200, `/watches/${made.json.id}`]);
    expect(made.json).toMatchObject({
      ...galeWatch,
      question: { ...galeWatch.question, provider: "jtwc", storm_method: "classic" },
      language: "en",
      channels: null,
      state: "waiting",
      found: null,
    });
    await poll();
    const path = `/watches/${made.json.id}`;
    const read = await send<Watch>("GET", path);
    expect(read.json).toMatchObject({
      state: "firing",
      found: { value: 42, limit: 30, unit: "kn", run: "GFS 0.25°, Thu 31 Dec 18:00 UTC", known_share: 1 },
    });
    expect((await send<{ results: Watch[] }>("GET", "/watches")).json.results).toEqual([read.json]);
    const paused = await send<Watch>("PUT", path, { ...galeWatch, name: "x", paused: true, language: "de" });
    expect(paused.json).toMatchObject({ name: "x", state: "paused", language: "de" });
    const tested = await send<{ id: string; message: { title: string; kind: string } }>(
      "POST",
      `${path}/test`,
    );
    expect([tested.status, tested.json.message.kind]).toEqual([200, "test"]);
    const inbox = await send<AlertList>("GET", "/alerts");
    expect(inbox.json.results.map(({ id, kind, read_at }) => [id === tested.json.id, kind, read_at])).toEqual(
      [
        [true, "test", null],
        [false, "fired", null],
      ],
    );
    expect((await send("DELETE", path)).status).toBe(204);
    expect((await send("GET", path)).status).toBe(404);
    expect((await send<AlertList>("GET", "/alerts")).json.results.length).toBe(2);
  });

  const tide = (more: object) => ({
    name: "Quay",
    question: {
      kind: "tide",
      station: "noaa:8443970",
      conditions: [{ quantity: "tide_m", over: 3 }],
      ...more,
    },
  });

  it("one of the tide states the level of its limit, and is kept where its station has left the database", async () => {
    const { status, json } = await send<Watch>("POST", "/watches", tide({}));
    expect([status, json.question]).toEqual([200, { ...tide({ datum: "MLLW", window_hours: 12 }).question }]);
    await poll();
    const found = (await send<Watch>("GET", `/watches/${json.id}`)).json;
    expect(found).toMatchObject({ state: "unknown", found: { known_share: 0 } });
    await database.prisma.$executeRaw`
      UPDATE watch SET question = jsonb_set(question, '{station}', '"noaa:0"')`;
    const { question } = (await send<Watch>("GET", `/watches/${json.id}`)).json;
    const paused = await send<Watch>("PUT", `/watches/${json.id}`, { name: "Quay", question, paused: true });
    expect([paused.status, paused.json.state]).toEqual([200, "paused"]);
  });

  it.each<[change: object, loc: string, msg: string]>([
    [{ station: "noaa:0" }, "station", "GET /tides/stations lists them"],
    [{ station: "noaa:ACT0091" }, "station", "it has streams, and no heights"],
    [{ station: "ticon:a121tg-a12-nld-cmems" }, "station", "forbids commercial use"],
    [{ datum: "LAT-9" }, "datum", "this station has heights above"],
    [{ conditions: [{ quantity: "gust_kt", over: 3 }] }, "quantity", "tide_m"],
    [{ conditions: [{ quantity: "tide_m", over: 99 }] }, "over", "-20 to 30 m"],
  ])("of the tide, %j is refused in words", async (change, loc, msg) => {
    const { status, json } = await send<{ detail: { loc: unknown[]; msg: string }[] }>(
      "POST",
      "/watches",
      tide(change),
    );
    expect([status, json.detail.map((issue) => [issue.loc.at(-1), issue.msg])]).toEqual([
      422,
      [[loc, expect.stringContaining(msg)]],
    ]);
  });

  it.each<[change: object, loc: (string | number)[], msg: string]>([
    [{ models: ["nobody"] }, ["models", 0], "There is no model nobody"],
    [{ models: [] }, ["models"], "at least 1"],
    [{ agree: "most" }, ["agree"], "agree needs models"],
    [{ models: ["gfs"], agree: "few" }, ["agree"], "any"],
    [
      { models: ["gfs"], conditions: [{ quantity: "storm_nm", under: 9 }] },
      ["models"],
      "depends on no model",
    ],
  ])("of several models, %j is refused in words", async (change, loc, msg) => {
    const question = { ...galeWatch.question, ...change };
    const sent = await send<{ detail: { loc: unknown[]; msg: string }[] }>("POST", "/watches", {
      ...galeWatch,
      question,
    });
    expect([sent.status, sent.json.detail.map((issue) => [issue.loc, issue.msg])]).toEqual([
      422,
      [[["body", "question", ...loc], expect.stringContaining(msg)]],
    ]);
  });

  it("one of several models is kept with them, and one without is as it was", async () => {
    const models = ["gfs", "best"];
    const question = { ...galeWatch.question, models, agree: "most" };
    const made = await send<Watch>("POST", "/watches", { ...galeWatch, question });
    expect([made.status, made.json.question]).toEqual([
      200,
      expect.objectContaining({ models, agree: "most" }),
    ]);
    const plain = await send<Watch>("POST", "/watches", galeWatch);
    expect(Object.keys(plain.json.question)).not.toContain("agree");
    expect(Object.keys(plain.json.question)).not.toContain("models");
  });

  const extreme = (more: object) => ({
    name: "Bar",
    question: { kind: "tide_extreme", station: "noaa:8443970", ...more },
  });

  it("one of high and low waters states its datum and its defaults", async () => {
    const { status, json } = await send<Watch>("POST", "/watches", extreme({}));
    const stated = { datum: "MLLW", type: "high", minutes_before: 30, conditions: [] };
    expect([status, json.question]).toEqual([200, extreme(stated).question]);
  });

  it.each<[change: object, loc: string, msg: string]>([
    [{ station: "noaa:0" }, "station", "GET /tides/stations lists them"],
    [{ station: "noaa:ACT0091" }, "station", "it has streams, and no heights"],
    [{ station: "ticon:stockholm-826-swe-uhslc_fd" }, "station", "hardly any tide"],
    [{ datum: "LAT-9" }, "datum", "this station has heights above"],
    [{ coefficient: 95 }, "coefficient", "French coasts"],
    [{ coefficient: 121 }, "coefficient", "120"],
    [{ minutes_before: 721 }, "minutes_before", "720"],
    [{ type: "spring" }, "type", "high"],
    [
      { coefficient: 95, conditions: [{ quantity: "tide_m", over: 3 }] },
      "coefficient",
      "either a height or a coefficient",
    ],
  ])("of high and low waters, %j is refused in words", async (change, loc, msg) => {
    const { status, json } = await send<{ detail: { loc: unknown[]; msg: string }[] }>(
      "POST",
      "/watches",
      extreme(change),
    );
    expect([status, json.detail.map((issue) => [issue.loc.at(-1), issue.msg])]).toEqual([
      422,
      [[loc, expect.stringContaining(msg)]],
    ]);
  });

  it("one that was deleted comes back as it was, for an hour: without a second alert, and expired if it had expired", async () => {
    const { json } = await send<Watch>("POST", "/watches", galeWatch);
    const path = `/watches/${json.id}`;
    const before = async () => (await send<Watch>("GET", path)).json;
    const back = ({ name, question, expires_at }: Watch) =>
      send<Watch>("PUT", path, { name, question, expires_at: `${expires_at.slice(0, 19)}Z` });
    await poll();
    const firing = await before();
    expect(firing.state).toBe("firing");
    await send("DELETE", path);
    expect((await send<{ results: Watch[] }>("GET", "/watches")).json.results).toEqual([]);
    expect([(await send("DELETE", path)).status, (await send("POST", `${path}/test`)).status]).toEqual([
      404, 404,
    ]);
    world = worldAt({ at: FIRST_RUN + 21_600, gusts: [10, 11] });
    await poll();
    expect((await send<AlertList>("GET", "/alerts")).json.results.length).toBe(1);
    expect((await back(firing)).json).toEqual(firing);
    world = worldAt({ at: FIRST_RUN, gusts: [10, 31, 42, 28] });
    await poll();
    expect((await send<AlertList>("GET", "/alerts")).json.results.map(({ kind }) => kind)).toEqual(["fired"]);

    await database.prisma.$executeRaw`UPDATE watch SET expires_at = now() - interval '1 day'`;
    const expired = await before();
    expect(expired.state).toBe("expired");
    await send("DELETE", path);
    expect((await send("PUT", path, { ...galeWatch }, "other-key")).status).toBe(404);
    expect((await back(expired)).json.state).toBe("expired");

    await send("DELETE", path);
    await database.prisma.$executeRaw`UPDATE watch SET deleted_at = deleted_at - interval '61 minutes'`;
    expect((await back(expired)).status).toBe(404);
    await new WatchStore(database.prisma).sweep();
    expect(await database.prisma.watch.count()).toBe(0);
  });

  it("one clock ends them and says what may be made, also where the weather stands still in the past", async () => {
    const now = Date.now() / 1000;
    const at = (seconds: number) => new Date(1000 * (now + seconds)).toISOString().replace(/\.\d+Z/, "Z");
    const make = (more: object) => send<Watch>("POST", "/watches", { ...galeWatch, ...more });
    // The expiry is in the future by the weather clock, and in the past by the clock that ends watches.
    expect((await make({ expires_at: at(-60) })).status).toBe(422);
    expect((await make({ expires_at: at(367 * DAY_S) })).status).toBe(422);
    const { json } = await make({ expires_at: at(3600) });
    expect((await make({})).json.expires_at.slice(0, 13)).toBe(at(90 * DAY_S).slice(0, 13));
    await poll();
    expect((await send<Watch>("GET", `/watches/${json.id}`)).json.state).toBe("firing");
    const late = await send<Watch>("PUT", `/watches/${json.id}`, { ...galeWatch, expires_at: at(-60) });
    expect(late.json.state).toBe("expired");

    const departing = (departure: string) =>
      make({
        question: { kind: "route", route, departure, vessel, conditions: galeWatch.question.conditions },
      });
    const passage = await departing("2026-01-02T00:00:00Z");
    expect([passage.status, passage.json.state]).toEqual([200, "waiting"]);
    const aheadS = Date.parse(passage.json.expires_at) / 1000 - now;
    expect(Math.abs(aheadS - 11 * DAY_S)).toBeLessThan(3600);
    expect((await departing("2025-12-21T00:00:00Z")).status).toBe(422);
  });

  it("the inbox is read in pages, and marked as read", async () => {
    const { json } = await send<Watch>("POST", "/watches", galeWatch);
    for (let count = 0; count < 3; count++) await send("POST", `/watches/${json.id}/test`);
    const first = await send<AlertList>("GET", "/alerts?limit=2");
    expect([first.json.results.length, first.json.unread]).toEqual([2, 3]);
    const next = /<(.*)>; rel="next"/.exec(first.headers.link!)![1]!;
    const second = await send<AlertList>("GET", next);
    expect([second.json.results.length, second.headers.link]).toEqual([1, undefined]);
    const ids = new Set([...first.json.results, ...second.json.results].map(({ id }) => id));
    expect(ids.size).toBe(3);
    expect((await send("POST", "/alerts/read", { ids: [[...ids][0]] }, "other-key")).status).toBe(204);
    expect((await send<AlertList>("GET", "/alerts")).json.unread).toBe(3);
    await send("POST", "/alerts/read", { ids: [[...ids][0]] });
    expect((await send<AlertList>("GET", "/alerts")).json.unread).toBe(2);
    await send("POST", "/alerts/read", {});
    expect((await send<AlertList>("GET", "/alerts")).json.unread).toBe(0);
    expect((await send("GET", "/alerts?cursor=x")).status).toBe(422);
  });

  it("what is not yours is not there; visitors without a key have none", async () => {
    const { json } = await send<Watch>("POST", "/watches", galeWatch);
    const path = `/watches/${json.id}`;
    const missing = "/watches/00000000-0000-4000-8000-000000000000";
    for (const [method, suffix, body] of [
      ["GET", "", undefined],
      ["PUT", "", galeWatch],
      ["DELETE", "", undefined],
      ["POST", "/test", undefined],
    ] as const) {
      const theirs = await send(method, path + suffix, body, "other-key");
      const nobodys = await send(method, missing + suffix, body);
      const malformed = await send(method, `/watches/x${suffix}`, body);
      expect([theirs.status, theirs.json]).toEqual([404, { detail: "Watch not found" }]);
      expect([nobodys.status, nobodys.json, malformed.status, malformed.json]).toEqual([
        404,
        theirs.json,
        404,
        theirs.json,
      ]);
      expect((await send(method, path + suffix, body, "")).status).toBe(403);
    }
    expect(
      (await send<{ results: unknown[] }>("GET", "/watches", undefined, "other-key")).json.results,
    ).toEqual([]);
    expect((await send<AlertList>("GET", "/alerts", undefined, "other-key")).json.results).toEqual([]);
    expect((await send("GET", "/alerts", undefined, "")).status).toBe(403);
    expect((await send("POST", "/watches", galeWatch, "")).status).toBe(403);
  });

  const place = galeWatch.question;
  const vessel = { kind: "fixed", speed_kt: 6 };
  const route = [
    { latitude: 48, longitude: -5 },
    { latitude: 43, longitude: -8 },
  ];
  it.each<[change: object, loc: string]>([
    [{ question: { ...place, conditions: [{ quantity: "gust_kt" }] } }, "over"],
    [{ question: { ...place, conditions: [{ quantity: "gust_kt", over: 1, under: 2 }] } }, "over"],
    [{ question: { ...place, conditions: [{ quantity: "sea_m", over: 99 }] } }, "over"],
    [{ question: { ...place, conditions: [{ quantity: "gust_kt", over: 30, unless: 1 }] } }, "unless"],
    [{ question: { ...place, conditions: [{ quantity: "storm_nm", over: 9 }] } }, "over"],
    [{ question: { ...place, conditions: [] } }, "conditions"],
    [{ question: { ...place, window_hours: 264 } }, "window_hours"],
    [
      { question: { ...place, kind: "window", conditions: [{ quantity: "storm_nm", under: 9 }] } },
      "conditions",
    ],
    [{ question: { ...place, kind: "window", window_hours: 24 } }, "lasting_hours"],
    [
      {
        question: {
          ...place,
          kind: "route",
          route,
          departure: "2027-01-01T00:00:00Z",
          vessel: { kind: "fixed" },
        },
      },
      "speed_kt",
    ],
    [
      {
        question: {
          ...place,
          kind: "route",
          route: [route[0], { ...route[1], gate: { kind: "slack", station: "noaa:ACT0091", within_h: 1 } }],
          departure: "2027-01-01T00:00:00Z",
          vessel,
        },
      },
      "gate",
    ],
    [
      { question: { ...place, kind: "route", route, departure: "2020-01-01T00:00:00Z", vessel } },
      "departure",
    ],
    [{ expires_at: "2020-01-01T00:00:00Z" }, "expires_at"],
    [{ expires_at: "2040-01-01T00:00:00Z" }, "expires_at"],
    [{ name: "" }, "name"],
    [{ language: "xx" }, "language"],
  ])("%j is refused in words", async (change, loc) => {
    const { status, json } = await send<{ detail: { loc: unknown[] }[] }>("POST", "/watches", {
      ...galeWatch,
      ...change,
    });
    expect([status, json.detail.map((issue) => issue.loc.at(-1))]).toEqual([
      422,
      expect.arrayContaining([loc]),
    ]);
  });

  it("one owner has so many at most, and another may still add one", async () => {
    for (let count = 0; count < watchLimits.of_owner; count++) await send("POST", "/watches", galeWatch);
    const full = await send("POST", "/watches", galeWatch);
    expect([full.status, full.json]).toEqual([409, { detail: expect.stringContaining("delete one first") }]);
    expect((await send("POST", "/watches", galeWatch, "other-key")).status).toBe(200);
  });
});

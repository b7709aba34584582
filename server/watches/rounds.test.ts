import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { expiryOf, type WatchRequest, watchLimits, watchRequest } from "#lib/contract/watch.ts";
import { HOUR_S } from "#lib/time.ts";
import { alertMessage } from "#lib/watches/message.ts";
import { MAX_PAUSE_S } from "#lib/watches/tide.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { describeWithDatabase } from "#test/databases.ts";
import {
  FIRST_RUN,
  galeWatch,
  type ModelAt,
  type WorldAt,
  worldAt,
  worldOfMembers,
  worldOfModels,
} from "#test/watches.ts";
import type { KnownWorld } from "./evaluate.ts";
import { WatchRounds } from "./rounds.ts";
import { AlertStore, foundIn, WatchStore, type WatchTables } from "./store.ts";

const CYCLE = 6 * HOUR_S;
const calm = [10, 12, 11, 10];
const gale = [10, 31, 42, 28];
const run = (count: number, gusts: WorldAt["gusts"], more: Partial<WorldAt> = {}) =>
  worldAt({ at: FIRST_RUN + count * CYCLE, gusts, ...more });

describeWithDatabase("watches", (fresh) => {
  let database: Database;
  let store: WatchStore;
  const warnings: string[] = [];
  beforeAll(async () => {
    database = await openDatabase(await fresh());
    store = new WatchStore(database.prisma);
  });
  afterAll(() => database?.close());
  beforeEach(async () => {
    const { watch, alert, alertChannel, alertDelivery } = database.prisma;
    for (const table of [watch, alert, alertChannel, alertDelivery])
      await (table as typeof watch).deleteMany();
    warnings.length = 0;
  });

  const process = (tables: WatchTables = database.prisma, lead: Database["lead"] = database.lead) => {
    let world: KnownWorld | undefined;
    const rounds = new WatchRounds({
      store: new WatchStore(tables),
      lead,
      look: async () => world!,
      log: { warn: (_, message) => warnings.push(message) },
    });
    return async (now: KnownWorld) => {
      world = now;
      await rounds.poll();
    };
  };

  /** A lead whose session can be ended, as when a process is killed. */
  const breakable = () => {
    let lost: Promise<unknown>;
    const lead: Database["lead"] = async (...lock) => {
      const session = await database.lead(...lock);
      lost = new Promise((resolve) => session?.lost.addEventListener("abort", resolve));
      return session;
    };
    const breakIt = async () => {
      await database.prisma.$executeRaw`
        SELECT pg_terminate_backend(pid) FROM pg_locks
        WHERE locktype = 'advisory' AND objsubid = 2
          AND database = (SELECT oid FROM pg_database WHERE datname = current_database())`;
      await lost;
    };
    return { lead, breakIt };
  };

  const add = async (request: object = galeWatch, owner = "a") => {
    const parsed: WatchRequest = watchRequest.parse(request);
    const added = await store.add(owner, parsed, expiryOf(parsed, Date.now() / 1000));
    return added!.id;
  };
  const channel = async (more: object = {}, owner = "a") => {
    const id = randomUUID();
    const now = new Date();
    const row = {
      id,
      owner,
      kind: "webhook",
      name: "w",
      target: id,
      createdAt: now,
      verifiedAt: now,
      ...more,
    };
    await database.prisma.alertChannel.create({ data: row });
    return id;
  };
  const alerts = async (owner = "a") =>
    (await new AlertStore(database.prisma).list(owner, 100)).map(({ kind }) => kind).reverse();
  const deliveries = () => database.prisma.alertDelivery.count();

  it("a watch fires once, on the run that first exceeds its limit, and clears with a margin", async () => {
    const see = process();
    await channel();
    const id = await add();
    await see(run(0, calm));
    expect([await alerts(), (await store.find("a", id))!.firing]).toEqual([[], false]);
    await see(run(1, gale));
    expect(await alerts()).toEqual(["fired"]);
    const [alert] = await database.prisma.alert.findMany();
    expect(alertMessage.parse(alert!.payload)).toEqual({
      kind: "fired",
      watch_id: id,
      watch_name: "Ushant",
      title: "Ushant: Gusts 42 kn",
      sentence:
        "Gusts: over 30 kn from Fri 1 Jan 05:00 UTC, at most 42 kn (Fri 1 Jan 06:00 UTC). In 1 h. " +
        "Forecast: GFS 0.25°, Fri 1 Jan 00:00 UTC. Not for navigation.",
      language: "en",
      run: "GFS 0.25°, Fri 1 Jan 00:00 UTC",
      run_at: FIRST_RUN + CYCLE,
      valid_at: FIRST_RUN + CYCLE + 5 * HOUR_S,
      ends_at: FIRST_RUN + CYCLE + 6 * HOUR_S,
      peak_at: FIRST_RUN + CYCLE + 6 * HOUR_S,
      quantity: "gust_kt",
      value: 42,
      limit: 30,
      unit: "kn",
      lead_hours: 1,
      place: { latitude: 48.5, longitude: -5.2 },
      link: "/?p=48.5,-5.2&c=48.5,-5.2&z=5&t=2027-01-01T06:00:00Z&l=gust",
      synthetic: false,
    });
    // The value stays above the limit, then within the margin of 3 kn.
    await see(run(2, [28, 31, 42, 28]));
    const watched = async () => foundIn((await database.prisma.watch.findMany())[0]!)!;
    expect((await watched()).valid_at).toBe(FIRST_RUN + 2 * CYCLE + 5 * HOUR_S);
    await see(run(3, [10, 28, 29, 10]));
    expect(await alerts()).toEqual(["fired"]);
    expect((await watched()).sentence).toMatch(/^Gusts: 29 kn \(.*\); the limit is 30 kn\.$/);
    await see(run(4, [10, 26, 26, 10]));
    expect(await alerts()).toEqual(["fired", "cleared"]);
    await see(run(5, gale));
    expect([await alerts(), await deliveries()]).toEqual([["fired", "cleared", "fired"], 3]);
    expect(warnings).toEqual([]);
  });

  describe.each(["any", "most", "all"] as const)("of %s of three models", (agree) => {
    const [calmHours, galeHours, cut] = [
      [10, 12, 11, 10],
      [10, 31, 42, 28],
      [10, 12, null, null],
    ];
    const models = ["gfs", "ecmwf", "aifs"];
    const question = {
      kind: "place",
      latitude: 48.5,
      longitude: -5.2,
      window_hours: 3,
      conditions: [{ quantity: "gust_kt", over: 30 }],
      models,
      agree,
    };

    it("a model that is late, cut, gone for a week and back is named, and never counts as a no", async () => {
      const see = process();
      await add({ name: "Ushant", question });
      let hour = 0;
      /** A later look, with the age of each run in hours. */
      const at = async (...said: ([age: number, gusts: (number | null)[]] | undefined)[]) => {
        hour += 6;
        const now = FIRST_RUN + hour * HOUR_S;
        const has = said.map((one): ModelAt => one && { at: now - one[0] * HOUR_S, gusts: one[1] });
        await see(worldOfModels(now, Object.fromEntries(models.map((model, index) => [model, has[index]]))));
        const [watch] = await database.prisma.watch.findMany();
        const found = foundIn(watch!)!;
        const before = (await alerts()).length;
        return {
          says: found.models!.map(({ says, why }) => why ?? says),
          firing: watch!.firing,
          sentence: found.sentence,
          alerts: before,
        };
      };
      const [yes, no] = ["reached", "not_reached"];
      const calm = await at([6, calmHours], [6, calmHours], [6, calmHours]);
      expect([calm.says, calm.firing]).toEqual([[no, no, no], false]);
      expect(calm.sentence).toContain("Of 3 models, none says so; not GFS, ECMWF, AIFS.");
      // One of the three is late: what it says does not count, whatever it is.
      const late = await at([6, calmHours], [6, calmHours], [30, galeHours]);
      expect([late.says, late.firing]).toEqual([[no, no, "late"], false]);
      expect(late.sentence).toContain("cannot say: AIFS (its last run is old).");
      // Two models can say, and one of them says yes, which is not more than half.
      const one = await at([6, galeHours], [6, calmHours], [6, cut]);
      expect([one.says, one.firing]).toEqual([[yes, no, "ends"], agree === "any"]);
      expect(one.sentence).toMatch(/so say GFS; not ECMWF; cannot say: AIFS \(it ends before .* UTC\)\./);
      // Two of two.
      const two = await at([6, galeHours], [6, galeHours], undefined);
      expect([two.says, two.firing]).toEqual([[yes, yes, "absent"], true]);
      const [alert] = await new AlertStore(database.prisma).list("a", 1);
      const message = alertMessage.parse(alert!.payload);
      expect(message.kind).toBe("fired");
      expect(message.models!.find(({ model }) => model === "aifs")).toEqual({
        model: "aifs",
        says: "cannot_say",
        why: agree === "any" ? "ends" : "absent",
      });
      expect(message.sentence).toMatch(
        agree === "any" ? /so say GFS; not ECMWF; cannot say: AIFS/ : /so say GFS, ECMWF; cannot say: aifs/,
      );
      // Both that said yes are gone; the third one, which is back, does not clear the watch alone.
      const gone = await at(undefined, undefined, [6, calmHours]);
      expect([gone.says, gone.firing]).toEqual([["absent", "absent", no], agree !== "all"]);
      // After a week without them it does.
      hour += 7 * 24;
      const week = await at(undefined, undefined, [6, calmHours]);
      expect([week.says, week.firing]).toEqual([["absent", "absent", no], false]);
      expect((await alerts()).filter((kind) => kind === "cleared")).toHaveLength(1);
      const back = await at([6, galeHours], [6, galeHours], [6, galeHours]);
      expect([back.says, back.firing]).toEqual([[yes, yes, yes], true]);
      expect(back.sentence).toContain("Of 3 models, so say GFS, ECMWF, AIFS.");
      // No model can say anything: nothing changes.
      const none = await at(undefined, [60, calmHours], [6, [null, null, null, null]]);
      expect([none.says, none.firing]).toEqual([["absent", "late", "absent"], true]);
      expect(none.sentence).toContain("There is no forecast to tell.");
      expect(await alerts()).toEqual(["fired", "cleared", "fired"]);
      expect(warnings).toEqual([]);
    });
  });

  it("the margin holds only the model that reached the threshold, and best has its own name in messages", async () => {
    const see = process();
    const question = {
      ...galeWatch.question,
      conditions: [{ quantity: "gust_kt", over: 30 }],
      models: ["gfs", "best"],
    };
    await add({ name: "Ushant", question });
    const said = async (hour: number, ...gusts: number[]) => {
      const at = FIRST_RUN + hour * HOUR_S;
      const [gfs, best] = gusts.map((one): ModelAt => ({ at, gusts: [10, one, 10] }));
      await see(worldOfModels(at, { gfs, best }));
      const [watch] = await database.prisma.watch.findMany();
      const { sentence, models } = foundIn(watch!)!;
      return [models!.map(({ says }) => says), watch!.firing, sentence];
    };
    // 29 kn is within the margin of a model that was over 30 kn, and below the limit of one that was not.
    expect(await said(6, 40, 29)).toEqual([
      ["reached", "not_reached"],
      true,
      expect.stringContaining("Of 2 models, so say GFS; not best."),
    ]);
    expect((await said(12, 29, 29)).slice(0, 2)).toEqual([["reached", "not_reached"], true]);
    expect((await said(18, 20, 29)).slice(0, 2)).toEqual([["not_reached", "not_reached"], false]);
    expect(await alerts()).toEqual(["fired", "cleared"]);
  });

  it("a share of members fires, late members are named when they come, and unknown ones change nothing", async () => {
    const see = process();
    const question = {
      ...galeWatch.question,
      window_hours: 2,
      conditions: [{ quantity: "gust_kt", over: 34 }],
      ensemble: "ens",
      percent: 40,
    };
    await add({ name: "Ushant", question });
    const members = (over: number, count: number, other: (number | null)[] = [20, 20, 20]) =>
      Array.from({ length: count }, (_, member) => (member < over ? [20, 42, 20] : other));
    const at = async (
      hour: number,
      run: number,
      gusts: ReturnType<typeof members>,
      arrived = gusts.length,
    ) => {
      await see(worldOfMembers(FIRST_RUN + hour * HOUR_S, { at: FIRST_RUN + run * HOUR_S, gusts, arrived }));
      const [watch] = await database.prisma.watch.findMany();
      return { firing: watch!.firing, ...foundIn(watch!)! };
    };
    const few = await at(5, 0, members(5, 20));
    expect(few.firing).toBe(false);
    expect(few.ensemble).toEqual({
      ensemble: "ens",
      percent: 40,
      reached: 5,
      not_reached: 15,
      cannot_say: 0,
      arrived: 20,
      size: 31,
      run_at: FIRST_RUN,
    });
    expect(few.sentence).toMatch(
      /^5 of 20 members of Ensemble: 25% \(asked for: at least 40%\)\. One in the middle: .*the limit is 34 kn\. 20 of 31 members of this run have arrived\.$/,
    );
    // Eleven more members of the same run came: the number changes, and the message says why it may have.
    const late = await at(6, 0, members(13, 31));
    expect([late.firing, late.ensemble!.reached]).toEqual([true, 13]);
    const [alert] = await new AlertStore(database.prisma).list("a", 1);
    const message = alertMessage.parse(alert!.payload);
    expect(message).toMatchObject({ kind: "fired", ensemble: { reached: 13, not_reached: 18, arrived: 31 } });
    expect(message.sentence).toMatch(/^13 of 31 members of Ensemble: 41% .*over 34 kn from/);
    expect(message.sentence).toContain("because members of this run came late: 20 before, 31 of 31 now.");
    expect(message.sentence).toContain("Forecast: Ensemble 1°, ");
    // Members that end before the window does not clear it; a run in which all know that it is calm does.
    const unknown = await at(12, 6, members(3, 31, [20, null, null]));
    expect([unknown.firing, unknown.ensemble!.cannot_say]).toEqual([true, 28]);
    expect(unknown.sentence).toContain("; not known: 28.");
    const calm = await at(18, 12, members(3, 31));
    expect(calm.firing).toBe(false);
    expect(await alerts()).toEqual(["fired", "cleared"]);
    expect(warnings).toEqual([]);
  });

  it("a watch of one model says so in the singular", async () => {
    const question = { ...galeWatch.question, models: ["gfs"] };
    const sentences: string[] = [];
    for (const language of ["en", "fr", "es", "de", "pt"]) {
      const see = process();
      await database.prisma.watch.deleteMany();
      await add({ name: "Ushant", language, question });
      await see(worldOfModels(FIRST_RUN, { gfs: { at: FIRST_RUN, gusts: [40] } }));
      const [watch] = await database.prisma.watch.findMany();
      sentences.push(foundIn(watch!)!.sentence);
    }
    expect(sentences).toEqual(
      ["1 model,", "1 modèle,", "1 modelo,", "1 Modell ", "1 modelo,"].map((one) =>
        expect.stringContaining(one),
      ),
    );
  });

  it("a watch of the tide fires once for each span above its limit, in advance, and reports when its station is gone", async () => {
    const start = FIRST_RUN;
    const hours = (from: number, to: number, value: number) => ({
      from: start + from * HOUR_S,
      to: start + to * HOUR_S,
      peak: start + ((from + to) / 2) * HOUR_S,
      value,
    });
    const reading = {
      station: "Brest",
      at: { latitude: 48.383, longitude: -4.495 },
      datum: "LAT",
      attribution: "Tide database",
      spells: [hours(6, 8, 7.21), hours(18, 20, 7.4), hours(40, 42, 7.33)],
      nearest: { time: start, value: 4 },
    };
    const see = process();
    const at = async (hour: number, tide: typeof reading | null = reading) => {
      // The evaluation runs as if it were due.
      await store.lookAtTides();
      const world = run(0, calm);
      await see({ ...world, now: start + hour * HOUR_S, readTide: async () => tide ?? undefined });
      return alerts();
    };
    const question = { kind: "tide", station: "ticon:brest", conditions: [{ quantity: "tide_m", over: 7 }] };
    const id = await add({ name: "Quay", question });
    expect(await at(0)).toEqual(["fired"]);
    expect([await at(1), await at(7)]).toEqual([["fired"], ["fired"]]);
    // It is evaluated again soon, so that a clock that was ahead for a moment does not silence it.
    const [{ seconds }] = await database.prisma.$queryRaw<[{ seconds: number }]>`
      SELECT extract(epoch FROM available_at - now())::float8 AS seconds FROM watch`;
    expect(Math.abs(seconds - MAX_PAUSE_S)).toBeLessThan(60);
    expect((await at(8.1)).length).toBe(2);
    expect((await at(20.1)).length).toBe(2);
    expect((await store.find("a", id))!.firing).toBe(false);
    expect((await at(28.1)).length).toBe(3);
    const gone = { ...reading, spells: [] };
    expect([(await at(43, gone)).length, await at(44, null)]).toEqual([
      3,
      [...Array(3).fill("fired"), "unavailable"],
    ]);
    expect((await at(45, null)).length).toBe(4);
    expect((await store.find("a", id))!.found).toMatchObject({
      known_share: 0,
      sentence: expect.stringContaining("no longer has heights"),
    });
    expect(warnings).toEqual([]);
  });

  it("a watch of high waters alerts once for each, at its minute by the station's clock, whatever the process's clock does", async () => {
    const start = FIRST_RUN;
    const minutes = (count: number) => start + 60 * count;
    const water = (at: number, type: "high" | "low", value: number) => ({ time: minutes(at), type, value });
    const reading = {
      station: "Sydney",
      at: { latitude: -33.855, longitude: 151.226 },
      timezone: "Australia/Sydney",
      datum: "LAT",
      attribution: "Tide database",
      hasCoefficients: false,
      extremes: [water(100, "high", 1.62), water(470, "low", 0.31), water(850, "high", 1.4)],
    };
    const see = process();
    await channel();
    const at = async (minute: number, tides: typeof reading | null = reading) => {
      await store.lookAtTides();
      await see({ ...run(0, calm), now: minutes(minute), readExtremes: async () => tides ?? undefined });
      return (await alerts()).length;
    };
    const question = { kind: "tide_extreme", station: "noaa:sydney", minutes_before: 90 };
    const id = await add({ name: "Bar", question });
    expect(await at(9.9)).toBe(0);
    const [{ seconds }] = await database.prisma.$queryRaw<[{ seconds: number }]>`
      SELECT extract(epoch FROM available_at - now())::float8 AS seconds FROM watch`;
    expect(seconds).toBeGreaterThan(4);
    expect(seconds).toBeLessThanOrEqual(6);
    expect(await at(10)).toBe(1);
    const [alert] = await database.prisma.alert.findMany();
    expect(alertMessage.parse(alert!.payload)).toMatchObject({
      kind: "fired",
      title: "Bar: High water 06:40, 1.62 m",
      sentence:
        "High water at Sydney: 1.62 m above LAT, Fri 1 Jan 06:40 UTC+11. The weather is not included: wind and air pressure raise or " +
        "lower the water. In 1 h 30 min. Not for navigation.",
      valid_at: minutes(100),
      peak_at: minutes(100),
      value: 1.62,
      limit: null,
      unit: "m",
      lead_hours: 1.5,
      tide: { type: "high", datum: "LAT" },
      link: `/?c=-33.855,151.226&z=10&t=2026-12-31T19:40:00Z&tide=noaa:sydney`,
    });
    expect((await store.find("a", id))!.firing).toBe(true);
    // The clock is set back or a day ahead for a moment, and the process forgets its last alerts.
    expect([await at(-100), await at(10), await at(99), await at(1540), await at(101)]).toEqual([
      1, 1, 1, 1, 1,
    ]);
    await database.prisma.$executeRaw`UPDATE watch SET edition = NULL`;
    expect(await at(20)).toBe(1);
    expect([await at(759), await at(760), await at(852)]).toEqual([1, 2, 2]);
    expect((await store.find("a", id))!.found).toMatchObject({
      sentence: expect.stringContaining("No such"),
    });
    expect([await at(900, null), await at(901, null)]).toEqual([3, 3]);
    expect([(await alerts()).at(-1), await deliveries()]).toEqual(["unavailable", 3]);
    expect(warnings).toEqual([]);
  });

  it("the same run again, an older one, and a late one cause no alert", async () => {
    const see = process();
    const id = await add();
    await see(run(2, calm));
    const evaluated = (await store.find("a", id))!.evaluatedAt;
    await see(run(2, gale));
    await see(run(1, gale));
    await see(run(2, gale));
    expect([await alerts(), (await store.find("a", id))!.evaluatedAt]).toEqual([[], evaluated]);
    // More steps of the same cycle are new data.
    await see(run(2, gale, { ids: ["gfs.a", "gfs.b"] }));
    expect(await alerts()).toEqual(["fired"]);
  });

  it.each([["before its statement"], ["after it"]])(
    "a process that is killed %s: another one goes on, and there is one alert with one delivery",
    async (when) => {
      await channel();
      await add();
      const { prisma } = database;
      const { lead, breakIt } = breakable();
      await new Promise<void>((killed) => {
        const dying: WatchTables = {
          watch: prisma.watch,
          alert: prisma.alert,
          alertDelivery: prisma.alertDelivery,
          $transaction: prisma.$transaction.bind(prisma),
          $executeRaw: ((...input: Parameters<typeof prisma.$executeRaw>) =>
            prisma.$executeRaw(...input)) as typeof prisma.$executeRaw,
          $queryRaw: (async (...input: Parameters<typeof prisma.$queryRaw>) => {
            const text = JSON.stringify(input);
            if (!text.includes("INSERT INTO alert ")) return prisma.$queryRaw(...input);
            if (when === "after it") await prisma.$queryRaw(...input);
            killed();
            return new Promise(() => {});
          }) as unknown as typeof prisma.$queryRaw,
        };
        void process(dying, lead)(run(0, gale));
      });
      const see = process();
      // The database has not noticed the end of the session yet.
      await see(run(0, gale));
      expect((await alerts()).length).toBe(when === "after it" ? 1 : 0);
      await breakIt();
      await see(run(0, gale));
      await see(run(1, gale));
      expect([await alerts(), await deliveries()]).toEqual([["fired"], 1]);
    },
  );

  it("several processes at the same time write one alert", async () => {
    await channel();
    for (let count = 0; count < 5; count++) await add();
    await Promise.all([process(), process(), process()].map((see) => see(run(0, gale))));
    await process()(run(0, gale));
    expect([(await alerts()).length, await deliveries()]).toEqual([5, 5]);
  });

  it("a failed evaluation is tried again later, and the other watches continue", async () => {
    const see = process();
    const id = await add();
    await add(galeWatch, "b");
    let fails = true;
    const world = run(0, gale);
    const read: KnownWorld["read"] = async (...input) => {
      if (fails) throw new Error("away");
      return world.read(...input);
    };
    await see({ ...world, read });
    expect((await store.find("a", id))!.error).toContain("tried again");
    fails = false;
    await see({ ...world, read });
    expect([await alerts("a"), await alerts("b")]).toEqual([[], []]);
    await database.prisma.watch.updateMany({ data: { availableAt: new Date(0) } });
    await see({ ...world, read });
    expect([await alerts("a"), await alerts("b")]).toEqual([["fired"], ["fired"]]);
  });

  it("a watch is evaluated even if a database whose clock was a day ahead has postponed it", async () => {
    const see = process();
    for (const failures of [0, 1]) {
      const id = await add(galeWatch, `owner ${failures}`);
      const availableAt = new Date(Date.now() + 86_400_000);
      await database.prisma.watch.update({ where: { id }, data: { failures, availableAt } });
    }
    await see(run(0, gale));
    expect([await alerts("owner 0"), await alerts("owner 1")]).toEqual([["fired"], ["fired"]]);
  });

  it("alerts go to the confirmed and enabled channels of the watch", async () => {
    const [one] = [
      await channel(),
      await channel(),
      await channel({ verifiedAt: null }),
      await channel({ disabledAt: new Date() }),
    ];
    await channel({}, "b");
    await add();
    await add({ ...galeWatch, channels: [one] });
    await add({ ...galeWatch, channels: [] });
    await process()(run(0, gale));
    const sent = await database.prisma.alertDelivery.groupBy({ by: ["alertId"], _count: true });
    expect(sent.map(({ _count }) => _count).sort()).toEqual([1, 2]);
    expect((await alerts()).length).toBe(3);
  });

  it("another question starts from the beginning; a paused or expired watch is not evaluated", async () => {
    const see = process();
    const id = await add();
    await see(run(0, gale));
    const change = (request: object) => {
      const parsed = watchRequest.parse(request);
      return store.change("a", id, parsed, expiryOf(parsed, Date.now() / 1000));
    };
    expect((await change({ ...galeWatch, name: "other" }))!.firing).toBe(true);
    await see(run(0, gale));
    expect(await alerts()).toEqual(["fired"]);
    const lower = { ...galeWatch.question, conditions: [{ quantity: "gust_kt", over: 25 }] };
    expect((await change({ ...galeWatch, question: lower }))!.firing).toBe(false);
    await see(run(0, gale));
    expect(await alerts()).toEqual(["fired", "fired"]);
    await change({ ...galeWatch, paused: true });
    await see(run(1, calm));
    await change({ ...galeWatch, expires_at: "2020-01-01T00:00:00Z" });
    await see(run(2, gale));
    expect(await alerts()).toEqual(["fired", "fired"]);
    expect((await store.find("a", id))!.isExpired).toBe(true);
  });

  it("a watch that is changed back and forth, or again and again, sends a limited number of alerts", async () => {
    const see = process();
    await channel();
    const id = await add();
    const ask = async (over: number) => {
      const question = { ...galeWatch.question, conditions: [{ quantity: "gust_kt", over }] };
      const parsed = watchRequest.parse({ ...galeWatch, question });
      await store.change("a", id, parsed, expiryOf(parsed, Date.now() / 1000));
      await see(run(0, gale));
    };
    for (let count = 0; count < 4; count++) for (const over of [25, 26]) await ask(over);
    expect([(await alerts()).length, await deliveries()]).toEqual([2, 2]);
    for (let count = 0; count < 15; count++) await ask(20 + count / 10);
    expect([(await alerts()).length, await deliveries()]).toEqual([17, watchLimits.sent_an_hour]);
  });

  it("a new run causes one alert for each cycle, and none for the run that exists already", async () => {
    const see = process();
    await add({ name: "runs", question: { kind: "new_run", source: "gfs" } });
    await add({ name: "none", question: { kind: "new_run", source: "ecmwf" } });
    await see(run(0, calm));
    await see(run(1, calm));
    await see(run(1, calm, { ids: ["gfs.a", "gfs.b"] }));
    await see(run(0, calm));
    expect(await alerts()).toEqual(["new_run"]);
    await see(run(2, calm));
    const newest = await database.prisma.alert.findFirstOrThrow({ orderBy: { createdAt: "desc" } });
    expect(alertMessage.parse(newest.payload)).toMatchObject({
      title: "runs: GFS 0.25°, Fri 1 Jan 06:00 UTC",
      sentence: "A new run is published: GFS 0.25°, Fri 1 Jan 06:00 UTC. Not for navigation.",
    });
  });

  it("owners take turns, and have a limited number of watches", async () => {
    for (let count = 0; count < watchLimits.of_owner; count++) await add();
    const parsed = watchRequest.parse(galeWatch);
    expect(await store.add("a", parsed, Date.now() / 1000 + 1e6)).toBeUndefined();
    const id = await add(galeWatch, "b");
    expect((await store.due("world")).findIndex((watch) => watch.id === id)).toBe(1);
    expect((await store.due("world")).length).toBe(50);
  });

  it("owners that add watches at the same time do not exceed the limit either", async () => {
    for (let count = 0; count < watchLimits.of_owner - 3; count++) await add();
    const parsed = watchRequest.parse(galeWatch);
    const added = await Promise.all(
      Array.from({ length: 12 }, () => store.add("a", parsed, Date.now() / 1000 + 1e6)),
    );
    expect(added.filter((one) => one !== undefined)).toHaveLength(3);
    expect(await database.prisma.watch.count()).toBe(watchLimits.of_owner);
  });

  it("old alerts are deleted with their deliveries, and so are those beyond the limit", async () => {
    await channel();
    await add();
    await process()(run(0, gale));
    await store.sweep();
    expect([(await alerts()).length, await deliveries()]).toEqual([1, 1]);
    await database.prisma.alert.updateMany({ data: { createdAt: new Date(0) } });
    await store.sweep();
    expect([await alerts(), await deliveries()]).toEqual([[], 0]);
  });
});

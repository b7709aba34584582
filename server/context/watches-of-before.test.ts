import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { watchFound } from "#lib/contract/watch.ts";
import type { AlertMessage } from "#lib/watches/message.ts";
import { networks } from "#server/alerts/address-guard.ts";
import { Calendars } from "#server/alerts/calendars.ts";
import { channelLinks } from "#server/alerts/channel-links.ts";
import { Channels } from "#server/alerts/channels.ts";
import { realClock } from "#server/platform/clock.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { AlertStore, alertForm } from "#server/watches/alerts.ts";
import { Lease } from "#server/watches/lease.ts";
import { WatchRounds } from "#server/watches/rounds.ts";
import { foundIn, requestOf, type StoredWatch, WatchStore } from "#server/watches/store.ts";
import {
  galeAlert,
  openReceiver,
  publicUrl,
  type Receiver,
  testDeliveries,
  testSecret,
  testSendDeps,
} from "#test/alerts.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { FIRST_RUN, galeWatch, worldAt } from "#test/watches.ts";

/** The last migration before watches could come back (0021) and failures had codes (0022). */
const LAST_OF_BEFORE = "0020";

const migrationsOfBefore = readdirSync(path.resolve(import.meta.dirname, "../../prisma/migrations")).filter(
  (name) => name.slice(0, 4) <= LAST_OF_BEFORE,
);

const tables = [
  "watch",
  "watch_lease",
  "alert",
  "alert_channel",
  "alert_delivery",
  "alert_calendar",
] as const;

const uuid = (end: number) => `0199aaaa-0000-7000-8000-${String(end).padStart(12, "0")}`;
const [FIRING, QUIET, PAUSED, EXPIRED, NEW] = [1, 2, 3, 4, 5].map(uuid) as [
  string,
  string,
  string,
  string,
  string,
];
const [HOOK, FAILING, DISABLED, UNCONFIRMED] = [11, 12, 13, 14].map(uuid) as [string, string, string, string];
const [READ, UNREAD, NOTE] = [21, 22, 23].map(uuid) as [string, string, string];
const [SENT, WAITING, FAILED] = [31, 32, 33].map(uuid) as [string, string, string];

/** With all defaults, as it is stored. */
const question = { ...galeWatch.question, provider: "jtwc", storm_method: "classic" };

const found = watchFound.parse({
  run: "GFS 0.25°, Thu 31 Dec 18:00 UTC",
  run_at: FIRST_RUN,
  quantity: "gust_kt",
  value: 42,
  limit: 30,
  unit: "kn",
  valid_at: FIRST_RUN + 3600,
  windows: [{ from: FIRST_RUN, to: FIRST_RUN + 7200 }],
  known_share: 1,
  sentence: "Böen: über 30 kn",
});

/** As `world` of the tests was stored: its source, its newest run, its parts. */
const edition = { "run gfs": { at: FIRST_RUN, of: `gfs.${FIRST_RUN}` } };

const quote = (value: unknown) => `'${JSON.stringify(value).replaceAll("'", "''")}'`;
const payload = (more: Partial<AlertMessage> = {}) => quote({ ...galeAlert, ...more });

/** What the version before had written, in its own columns. @param target Of the webhook in use. */
const rowsOfBefore = (target: string) => `
  INSERT INTO watch (id, owner, name, question, language, channels, only_named, paused, firing, version, edition, world, found,
    evaluated_at, error, failures, available_at, created_at, expires_at) VALUES
  ('${FIRING}', 'Ann', 'Ushant', ${quote(question)}, 'de', '{${HOOK}}', true, false, true, 7, ${quote(edition)}, 'world',
    ${quote(found)}, '2027-01-01T01:02:03.456Z', NULL, 0, now(), '2026-12-30T00:00:00Z', '2099-01-01T00:00:00Z'),
  ('${QUIET}', 'Ann', 'calm', ${quote({ ...question, conditions: [{ quantity: "gust_kt", over: 60 }] })}, 'en', '{}',
    false, false, false, 1, ${quote(edition)}, 'world', ${quote(found)}, now(), 'It could not be evaluated', 2,
    now() + interval '1 hour', '2026-12-29T00:00:00Z', '2099-01-01T00:00:00Z'),
  ('${PAUSED}', 'Ann', 'paused', ${quote(question)}, 'en', '{}', true, true, false, 1, NULL, NULL, NULL, NULL, NULL, 0,
    now(), '2026-12-28T00:00:00Z', '2099-01-01T00:00:00Z'),
  ('${EXPIRED}', 'Ann', 'expired', ${quote(question)}, 'en', '{}', false, false, true, 1, ${quote(edition)}, 'world',
    ${quote(found)}, now(), NULL, 0, now(), '2026-12-27T00:00:00Z', now() - interval '1 day'),
  ('${NEW}', 'Bob', 'new', ${quote({ kind: "new_run", source: "gfs" })}, 'zh', '{}', false, false, false, 1, NULL, NULL, NULL,
    NULL, NULL, 0, now(), '2026-12-26T00:00:00Z', '2099-01-01T00:00:00Z');
  INSERT INTO watch_lease (name, holder, until) VALUES ('evaluation', '${uuid(99)}', now() - interval '1 minute');
  INSERT INTO alert (id, owner, watch_id, kind, edition, payload, created_at, read_at) VALUES
  ('${READ}', 'Ann', '${FIRING}', 'fired', 'edition of before', ${payload()}, '2026-10-31T00:00:00Z', now()),
  ('${UNREAD}', 'Ann', '${FIRING}', 'test', NULL, ${payload({ kind: "test" })}, '2026-10-31T01:00:00Z', NULL),
  ('${NOTE}', 'Ann', NULL, 'channel', NULL, ${payload({ kind: "channel", sentence: "last: the target refused" })},
    '2026-10-31T02:00:00Z', NULL);
  INSERT INTO alert_channel (id, owner, kind, name, target, host, secret, old_secret, old_secret_until, created_at, verified_at,
    disabled_at, failing_at, error) VALUES
  ('${HOOK}', 'Ann', 'webhook', 'Bridge', '${target}', 'a', '${testSecret}', '${testSecret}', now() + interval '1 day',
    '2026-12-01T00:00:00Z', now(), NULL, NULL, NULL),
  ('${FAILING}', 'Ann', 'ntfy', 'Crew', 'https://ntfy.example.org/a', 'b', NULL, NULL, NULL, '2026-12-02T00:00:00Z', now(), NULL,
    now(), 'the target answered HTTP 503'),
  ('${DISABLED}', 'Ann', 'webhook', 'Old', 'https://c.example.org/', 'c', '${testSecret}', NULL, NULL, '2026-12-03T00:00:00Z',
    now(), now(), now(), 'the target is gone (HTTP 410)'),
  ('${UNCONFIRMED}', 'Ann', 'mail', 'a@example.org', 'a@example.org', 'mail', NULL, NULL, NULL, '2026-12-04T00:00:00Z', NULL,
    NULL, NULL, NULL);
  INSERT INTO alert_delivery (id, alert_id, channel_id, state, attempts, created_at, available_at, sent_at, error) VALUES
  ('${SENT}', '${READ}', '${HOOK}', 'SENT', 1, now(), now(), now(), NULL),
  ('${WAITING}', '${UNREAD}', '${HOOK}', 'PENDING', 3, now(), now(), NULL, 'the target answered HTTP 503'),
  ('${FAILED}', '${UNREAD}', '${DISABLED}', 'FAILURE', 9, now(), now(), NULL, 'the target is gone (HTTP 410)');
  INSERT INTO alert_calendar (owner, token_hash, created_at)
  VALUES ('Ann', '${createHash("sha256").update("secret address").digest("hex")}', now());`;

describeWithDatabase("watches, alerts and deliveries that the version before wrote", (fresh) => {
  let database: Database | undefined;
  let receiver: Receiver | undefined;
  afterEach(async () => {
    receiver?.close();
    await database?.close();
  });

  const contents = async () => {
    const rows: Record<string, Record<string, unknown>[]> = {};
    for (const table of tables) {
      const all = await database!.prisma.$queryRawUnsafe<{ row: Record<string, unknown> }[]>(
        `SELECT to_jsonb(t) AS row FROM "${table}" t ORDER BY t::text`,
      );
      rows[table] = all.map(({ row }) => row);
    }
    return rows;
  };

  it("are all there after the migration, are read, and go on where they were: no second alert, the same ids", async () => {
    receiver = await openReceiver();
    const place = await fresh("empty");
    database = await openDatabase(place, { migrations: migrationsOfBefore });
    const client = await database.connect();
    await client.query(rowsOfBefore(receiver.url));
    await client.end();
    const before = await contents();
    await database.close();

    database = await openDatabase(place);
    const { prisma } = database;
    const added = { watch: { deleted_at: null }, alert_channel: { error_code: null } };
    const expected = Object.fromEntries(
      tables.map((table) => [
        table,
        before[table]!.map((row) => ({ ...row, ...added[table as keyof typeof added] })),
      ]),
    );
    const sorted = (rows: typeof before) =>
      Object.entries(rows).map(([table, all]) => [
        table,
        all.map((row) => JSON.stringify(Object.entries(row).sort())).sort(),
      ]);
    expect(sorted(await contents())).toEqual(sorted(expected));

    const store = new WatchStore(prisma);
    const ofAnn = await store.list("Ann");
    const read = (watch: StoredWatch) => [
      watch.name,
      requestOf(watch).paused,
      watch.firing,
      watch.isExpired,
      foundIn(watch),
    ];
    expect(ofAnn.map(read)).toEqual([
      ["Ushant", false, true, false, found],
      ["calm", false, false, false, found],
      ["paused", true, false, false, null],
      ["expired", false, true, true, found],
    ]);
    expect(requestOf(ofAnn[0]!)).toMatchObject({ language: "de", channels: [HOOK] });
    const inbox = new AlertStore(prisma);
    expect((await inbox.list("Ann", 10)).map(alertForm).map(({ id, kind }) => [id, kind])).toEqual([
      [NOTE, "channel"],
      [UNREAD, "test"],
      [READ, "fired"],
    ]);
    expect(await inbox.unread("Ann")).toBe(2);

    const { post, links } = { post: { allowed: networks([]) }, links: channelLinks("secret of the tests") };
    const channels = new Channels({
      tables: prisma,
      post,
      mailer: undefined,
      links,
      publicUrl,
      clock: realClock,
      log: { warn() {} },
    });
    expect((await channels.list("Ann")).map(({ state, error_code }) => [state, error_code])).toEqual([
      ["active", null],
      ["failing", "other"],
      ["disabled", "other"],
      ["unconfirmed", null],
    ]);
    expect(await new Calendars({ tables: prisma, publicUrl }).read("secret address")).toContain(
      "SUMMARY:Ushant",
    );

    const deliveries = testDeliveries(prisma, testSendDeps(realClock));
    const deliver = async () => {
      await deliveries.poll();
      await deliveries.settled();
    };
    await deliver();
    expect(receiver.received.map(({ headers }) => headers["webhook-id"])).toEqual([WAITING]);

    let world = worldAt({ at: FIRST_RUN, gusts: [10, 31, 42, 28] });
    const rounds = new WatchRounds({
      store,
      lease: new Lease(prisma, "evaluation"),
      look: async () => world,
      log: { warn() {} },
    });
    const kinds = async () => (await inbox.list("Ann", 10)).map(({ kind }) => kind);
    await rounds.poll();
    expect(await kinds()).toEqual(["channel", "test", "fired"]);
    world = worldAt({ at: FIRST_RUN + 21_600, gusts: [10, 11] });
    await rounds.poll();
    expect((await kinds())[0]).toBe("cleared");
    await deliver();
    expect(receiver.received).toHaveLength(2);
    await deliveries.close();

    // What is new in this version works on these rows too.
    expect(await store.remove("Ann", EXPIRED)).toBe(true);
    const back = await store.change("Ann", EXPIRED, requestOf(ofAnn[3]!), 0);
    expect(back).toMatchObject({ firing: true, isExpired: true });
  });
});

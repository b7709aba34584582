import { randomUUID } from "node:crypto";
import {
  type Alert,
  type WatchFound,
  type WatchRequest,
  watchFound,
  watchLimits,
  watchRequest,
} from "#lib/contract/watch.ts";
import { parseLanguage } from "#lib/messages/language.ts";
import type { Edition } from "#lib/watches/edition.ts";
import { type AlertKind, type AlertMessage, alertMessage } from "#lib/watches/message.ts";
import { MAX_PAUSE_S } from "#lib/watches/tide.ts";
import { Prisma, type PrismaClient } from "#prisma/generated/client.ts";
import type { AlertModel, WatchModel } from "#prisma/generated/models.ts";
import { isOver } from "#server/platform/claimed-rows.ts";

export type WatchTables = Pick<
  PrismaClient,
  "watch" | "alert" | "alertDelivery" | "$queryRaw" | "$executeRaw" | "$transaction"
>;

export type StoredWatch = WatchModel & { isExpired: boolean };

/** Result of the evaluation of a watch. It is stored in one statement with the alert and its deliveries. */
export interface Evaluated {
  firing: boolean;
  edition: Edition;
  /** Text that identifies all data that was known; see `Watch.world`. */
  world?: string | null;
  /**
   * Seconds until the next evaluation, where the clock alone decides when there may be something new. It is given
   * instead of `world`.
   */
  lookAgainS?: number;
  found: WatchFound;
  /** @property edition Hash of the edition of the alert. */
  alert?: { kind: AlertKind; edition: string; message: AlertMessage } | undefined;
}

/**
 * Seconds before a watch whose evaluation failed is tried again, by the number of failures so far. The last value
 * repeats.
 */
const RETRY_S = [30, 120, 600, 1800, 3600];

/** Selects watches of tides, which the clock alone makes due. */
const isOfTides = Prisma.sql`question->>'kind' IN ('tide', 'tide_extreme')`;

/** Selects watches that are not postponed after a failure or until a tide has to be evaluated again. */
const isDue = isOver(
  Prisma.sql`available_at`,
  Prisma.sql`CASE WHEN failures > 0 THEN ${RETRY_S.at(-1)}::int WHEN ${isOfTides} THEN ${MAX_PAUSE_S}::int ELSE 0 END`,
);

/** Most watches of one query. */
const BATCH = 50;

/** A deleted watch can be restored for this long. The number per owner is limited too. */
const KEPT_HOURS = 1;
const KEPT_OF_OWNER = 20;

/** Stores the watches of each owner. Times are those of the database's clock. */
export class WatchStore {
  readonly #db: WatchTables;

  constructor(db: WatchTables) {
    this.#db = db;
  }

  /**
   * Adds a watch.
   *
   * @param expiresAt Unix seconds.
   * @returns undefined if its owner has as many as allowed.
   */
  async add(owner: string, request: WatchRequest, expiresAt: number): Promise<StoredWatch | undefined> {
    const id = randomUUID();
    const { name, language, paused } = request;
    // The lock is a statement of its own, because a statement that waits for it would count the rows of before the
    // wait.
    const [, added] = await this.#db.$transaction([
      this.#db.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('watch:' || ${owner}, 0))`,
      this.#db.$queryRaw<{ id: string }[]>`
      INSERT INTO watch (id, owner, name, question, language, channels, only_named, paused, available_at, created_at, expires_at)
      SELECT ${id}::uuid, ${owner}, ${name}, ${JSON.stringify(request.question)}::jsonb, ${language},
        ${request.channels ?? []}::uuid[], ${request.channels !== undefined}, ${paused}, now(), now(),
        ${new Date(expiresAt * 1000)}
      WHERE (SELECT count(*) FROM watch WHERE owner = ${owner} AND deleted_at IS NULL) < ${watchLimits.of_owner}
      RETURNING id::text`,
    ]);
    return added.length === 0 ? undefined : this.find(owner, id);
  }

  /**
   * Replaces the question of a watch. Another question starts from the beginning; with the same question the state
   * stays. It also restores a watch that was deleted within the last hour, unless its owner has as many as allowed
   * meanwhile.
   *
   * @returns undefined if the owner has no such watch.
   */
  async change(
    owner: string,
    id: string,
    request: WatchRequest,
    expiresAt: number,
  ): Promise<StoredWatch | undefined> {
    if (!isId(id)) return undefined;
    const question = JSON.stringify(request.question);
    const isSame = Prisma.sql`question = ${question}::jsonb`;
    await this.#db.$executeRaw`
      UPDATE watch SET name = ${request.name}, language = ${request.language}, paused = ${request.paused},
        channels = ${request.channels ?? []}::uuid[], only_named = ${request.channels !== undefined},
        expires_at = ${new Date(expiresAt * 1000)},
        firing = firing AND ${isSame}, edition = CASE WHEN ${isSame} THEN edition END,
        found = CASE WHEN ${isSame} THEN found END, evaluated_at = CASE WHEN ${isSame} THEN evaluated_at END,
        error = NULL, failures = 0, available_at = now(), world = NULL, question = ${question}::jsonb,
        version = version + 1, deleted_at = NULL
      WHERE id = ${id}::uuid AND owner = ${owner} AND (deleted_at IS NULL OR (
        deleted_at > ${keptSince}
        AND (SELECT count(*) FROM watch AS held WHERE held.owner = ${owner} AND held.deleted_at IS NULL) < ${watchLimits.of_owner}
      ))`;
    return this.find(owner, id);
  }

  async find(owner: string, id: string): Promise<StoredWatch | undefined> {
    if (!isId(id)) return undefined;
    const found = await this.#db.watch.findFirst({ where: { id, owner, deletedAt: null } });
    if (!found) return undefined;
    return (await this.#withExpiry([found]))[0];
  }

  /** Newest first. */
  async list(owner: string): Promise<StoredWatch[]> {
    return this.#withExpiry(
      await this.#db.watch.findMany({
        where: { owner, deletedAt: null },
        orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      }),
    );
  }

  /**
   * Ends a watch, which `change` can restore for an hour. Its alerts stay in the inbox. @returns false if the owner has
   * no such watch.
   */
  async remove(owner: string, id: string): Promise<boolean> {
    if (!isId(id)) return false;
    const removed = await this.#db.$executeRaw`
      UPDATE watch SET deleted_at = now(), version = version + 1
      WHERE id = ${id}::uuid AND owner = ${owner} AND deleted_at IS NULL`;
    await this.#db.$executeRaw`
      DELETE FROM watch WHERE id IN (
        SELECT id FROM watch WHERE owner = ${owner} AND deleted_at IS NOT NULL
        ORDER BY deleted_at DESC, id OFFSET ${KEPT_OF_OWNER}
      )`;
    return removed > 0;
  }

  /** Watches that were not evaluated with this data. Owners take turns: one watch of each, then the next of each. */
  async due(world: string): Promise<WatchModel[]> {
    const rows = await this.#db.$queryRaw<{ id: string }[]>`
      SELECT id::text FROM (
        SELECT id, owner, row_number() OVER (PARTITION BY owner ORDER BY evaluated_at NULLS FIRST, id) AS turn
        FROM watch
        WHERE NOT paused AND deleted_at IS NULL AND expires_at > now() AND ${isDue} AND world IS DISTINCT FROM ${world}
      ) AS due ORDER BY turn, owner LIMIT ${BATCH}`;
    const ids = rows.map(({ id }) => id);
    const found = await this.#db.watch.findMany({ where: { id: { in: ids } } });
    return ids.flatMap((id) => found.find((watch) => watch.id === id) ?? []);
  }

  /** Records that a watch found nothing new. */
  async skip({ id, version }: WatchModel, world: string): Promise<void> {
    await this.#db.$executeRaw`
      UPDATE watch SET world = ${world} WHERE id = ${id}::uuid AND version = ${version}`;
  }

  /**
   * Stores the result of a watch: its state, the alert and a delivery for each of its channels, all or nothing. A watch
   * that was changed or evaluated by another process meanwhile stays as it is.
   */
  async conclude(
    watch: WatchModel,
    { firing, edition, world = null, lookAgainS = 0, found, alert }: Evaluated,
  ): Promise<boolean> {
    const { id, version } = watch;
    const before = watch.edition === null ? null : JSON.stringify(watch.edition);
    const changed = Prisma.sql`
      UPDATE watch SET firing = ${firing}, edition = ${JSON.stringify(edition)}::jsonb, world = ${world},
        found = ${JSON.stringify(found)}::jsonb, evaluated_at = now(), error = NULL, failures = 0,
        available_at = now() + make_interval(secs => ${lookAgainS}::float8)
      WHERE id = ${id}::uuid AND version = ${version} AND NOT paused AND deleted_at IS NULL
        AND edition IS NOT DISTINCT FROM ${before}::jsonb
      RETURNING id, owner, channels, only_named`;
    const rows = alert
      ? await this.#db.$queryRaw<unknown[]>`
          WITH changed AS (${changed}), ${written(Prisma.sql`changed`, alert.kind, alert.message, alert.edition)}
          SELECT 1 FROM changed`
      : await this.#db.$queryRaw<unknown[]>(changed);
    return rows.length > 0;
  }

  /** Makes watches of the tide due, because the installed tide database may have changed since they were evaluated. */
  async lookAtTides(): Promise<void> {
    // The time is a second ago, because the column rounds to milliseconds.
    await this.#db.$executeRaw`
      UPDATE watch SET available_at = now() - interval '1 second'
      WHERE ${isOfTides} AND failures = 0 AND deleted_at IS NULL AND expires_at > now()`;
  }

  /** Records that an evaluation failed, and postpones the next attempt. */
  async fail({ id, version, failures }: WatchModel, error: string): Promise<void> {
    const retryS = RETRY_S[Math.min(failures, RETRY_S.length - 1)]!;
    await this.#db.$executeRaw`
      UPDATE watch SET error = ${error}, failures = failures + 1,
        available_at = now() + make_interval(secs => ${retryS}::float8)
      WHERE id = ${id}::uuid AND version = ${version}`;
  }

  /** Writes the alert of a test, with the deliveries of a real one. @returns Its id; undefined without such a watch. */
  async test(owner: string, id: string, message: AlertMessage): Promise<string | undefined> {
    const rows = await this.#db.$queryRaw<{ id: string }[]>`
      WITH changed AS (SELECT id, owner, channels, only_named FROM watch
        WHERE id = ${id}::uuid AND owner = ${owner} AND deleted_at IS NULL),
      ${written(Prisma.sql`changed`, "test", message, null)}
      SELECT id::text FROM written`;
    return rows[0]?.id;
  }

  /** Deletes old alerts, those beyond the limit of their owner, and watches that expired long ago. */
  async sweep(): Promise<void> {
    const { alert_days: days, alerts_of_owner: most } = watchLimits;
    await this.#db.$executeRaw`
      DELETE FROM alert WHERE created_at <= now() - make_interval(days => ${days}::int) OR id IN (
        SELECT id FROM (
          SELECT id, row_number() OVER (PARTITION BY owner ORDER BY created_at DESC, id DESC) AS place FROM alert
        ) AS placed WHERE place > ${most})`;
    await this.#db.$executeRaw`
      DELETE FROM alert_delivery WHERE NOT EXISTS (SELECT 1 FROM alert WHERE alert.id = alert_delivery.alert_id)`;
    await this.#db.$executeRaw`
      DELETE FROM watch WHERE expires_at <= now() - make_interval(days => ${days}::int) OR deleted_at <= ${keptSince}`;
  }

  async #withExpiry(watches: WatchModel[]): Promise<StoredWatch[]> {
    const [clock] = await this.#db.$queryRaw<{ now: number }[]>`
      SELECT extract(epoch FROM now())::float8 AS now`;
    return watches.map((watch) => ({ ...watch, isExpired: watch.expiresAt.getTime() <= clock!.now * 1000 }));
  }
}

/**
 * Parts of a statement that write an alert and its deliveries. The number of alerts sent in an hour is limited, in case
 * a watch is changed or tested again and again.
 *
 * @param from Name of a part with the row of its watch.
 */
function written(
  from: Prisma.Sql,
  kind: AlertKind,
  message: AlertMessage,
  edition: string | null,
): Prisma.Sql {
  return Prisma.sql`
    written AS (
      INSERT INTO alert (id, owner, watch_id, kind, edition, payload, created_at)
      SELECT ${randomUUID()}::uuid, owner, id, ${kind}, ${edition}::text, ${JSON.stringify(message)}::jsonb, now() FROM ${from}
      ON CONFLICT (watch_id, edition) DO NOTHING
      RETURNING id, owner, watch_id
    ), sent AS (
      INSERT INTO alert_delivery (id, alert_id, channel_id, created_at, available_at)
      SELECT gen_random_uuid(), written.id, channel.id, now(), now()
      FROM written JOIN ${from} AS of_watch ON true JOIN alert_channel AS channel ON channel.owner = written.owner
      WHERE channel.verified_at IS NOT NULL AND channel.disabled_at IS NULL
        AND (NOT of_watch.only_named OR channel.id = ANY(of_watch.channels))
        AND (
          SELECT count(*) FROM alert
          WHERE alert.watch_id = written.watch_id AND alert.created_at BETWEEN now() - interval '1 hour' AND now() + interval '1 minute'
        ) < ${watchLimits.sent_an_hour}
    )`;
}

const keptSince = Prisma.sql`now() - make_interval(hours => ${KEPT_HOURS}::int)`;

const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

const isId = (id: string) => UUID.test(id);

/** The request that created a watch, with all defaults. */
export function requestOf({
  name,
  question,
  language,
  paused,
  channels,
  onlyNamed,
  expiresAt,
}: WatchModel): WatchRequest {
  return watchRequest.parse({
    name,
    question,
    language: parseLanguage(language) ?? "en",
    paused,
    ...(onlyNamed && { channels }),
    expires_at: `${expiresAt.toISOString().slice(0, 19)}Z`,
  });
}

/** Result of the last evaluation; null before the first one. */
export function foundIn({ found }: Pick<WatchModel, "found">): WatchFound | null {
  return found === null ? null : watchFound.parse(found);
}

/** Position at which a page of a list ends. */
export type Position = Pick<AlertModel, "createdAt" | "id">;

/** The inbox of each owner. */
export class AlertStore {
  readonly #db: WatchTables;

  constructor(db: WatchTables) {
    this.#db = db;
  }

  /** Newest first. @param before The last alert of the previous page. */
  list(owner: string, limit: number, before?: Position): Promise<AlertModel[]> {
    return this.#db.alert.findMany({
      where: {
        owner,
        ...(before && {
          OR: [
            { createdAt: { lt: before.createdAt } },
            { createdAt: before.createdAt, id: { lt: before.id } },
          ],
        }),
      },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      take: limit,
    });
  }

  unread(owner: string): Promise<number> {
    return this.#db.alert.count({ where: { owner, readAt: null } });
  }

  /** Marks alerts as read. Ids of other owners and unknown ids are ignored. @param ids All alerts if absent. */
  async markRead(owner: string, ids?: readonly string[]): Promise<void> {
    const which = ids ? Prisma.sql`AND id = ANY(${ids}::uuid[])` : Prisma.empty;
    await this.#db.$executeRaw`
      UPDATE alert SET read_at = now() WHERE owner = ${owner} AND read_at IS NULL ${which}`;
  }
}

export function alertForm({ id, payload, createdAt, readAt }: AlertModel): Alert {
  const message = alertMessage.parse(payload);
  return {
    id,
    kind: message.kind,
    message,
    created_at: createdAt.toISOString(),
    read_at: readAt?.toISOString() ?? null,
  };
}

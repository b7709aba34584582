import { randomUUID } from "node:crypto";
import { deliveryFaultText } from "#lib/messages/fault.ts";
import type { AlertMessage } from "#lib/watches/message.ts";
import { Prisma, type PrismaClient } from "#prisma/generated/client.ts";
import {
  ClaimedRows,
  claimedBy,
  isOver,
  type RowClaim,
  secondsFromNow,
} from "#server/platform/claimed-rows.ts";
import { channelWordsOf, mailWordsIn } from "./alert-mail.ts";
import type { DeliveryFailure } from "./post-once.ts";
import { type AlertFacts, type ChannelTarget, MAX_RETRY_AFTER_S } from "./send-alert.ts";

export type AlertTables = Pick<PrismaClient, "$queryRaw" | "$executeRaw">;

export interface Claim {
  facts: AlertFacts;
  owner: string;
  channel: ChannelTarget & { name: string; host: string };
  /** Claims so far, including this one; see `RowClaim`. */
  attempts: number;
}

/** Limits of a claim: hosts and owners with all their places in use, and kinds of channels that cannot be sent by. */
export interface Busy {
  hosts: readonly string[];
  owners: readonly string[];
  /** The owner of each delivery in progress. */
  sending: readonly string[];
  /** Kinds of channels that this process cannot send by. */
  kinds: readonly string[];
}

/**
 * A delivery belongs to its claim for this long, and again after each renewal, seconds. A killed process renews
 * nothing.
 */
const LEASE_S = 30;

/** A channel is disabled after failing for this long without a success, seconds. */
const MAX_FAILING_S = 86_400;

/** Age at which rows are deleted, days. */
const MAX_AGE_DAYS = 30;

const columns = Prisma.sql`
  d.id::text AS id, d.attempts, a.id::text AS "alertId", a.owner, a.payload AS message, a.created_at AS "createdAt",
  c.id::text AS "channelId", c.kind, c.name, c.target, c.host, c.secret,
  CASE WHEN c.old_secret_until > now() THEN c.old_secret END AS "oldSecret"`;

type Row = AlertFacts &
  Omit<Claim["channel"], "id"> &
  Pick<Claim, "owner" | "attempts"> & { channelId: string };

/** The rows of deliveries. All times are the database's, so that processes whose clocks differ agree. */
export class DeliveryQueue {
  readonly #tables: AlertTables;
  readonly #rows: ClaimedRows;

  constructor(tables: AlertTables) {
    this.#tables = tables;
    this.#rows = new ClaimedRows(tables, "alert_delivery", LEASE_S);
  }

  /**
   * Claims the next due delivery: that of the owner with the fewest in progress, and among these the one that has
   * waited longest.
   */
  async claim({ hosts, owners, sending, kinds }: Busy): Promise<Claim | undefined> {
    const claim = await this.#rows.claim(Prisma.sql`
      JOIN alert_channel way ON way.id = due.channel_id JOIN alert said ON said.id = due.alert_id
      WHERE due.state = 'PENDING' AND ${isOver(Prisma.sql`due.available_at`, MAX_RETRY_AFTER_S)}
        AND way.disabled_at IS NULL AND way.verified_at IS NOT NULL
        AND way.host <> ALL(${[...hosts]}::text[]) AND way.kind <> ALL(${[...kinds]}::text[])
        AND way.owner <> ALL(${[...owners]}::text[])
      ORDER BY cardinality(array_positions(${[...sending]}::text[], way.owner)), due.available_at, due.id`);
    if (!claim) return undefined;
    const rows = await this.#tables.$queryRaw<Row[]>`
      SELECT ${columns} FROM alert_delivery d
      JOIN alert_channel c ON c.id = d.channel_id JOIN alert a ON a.id = d.alert_id WHERE d.id = ${claim.id}::uuid`;
    return rows[0] && claimOf({ ...rows[0], ...claim });
  }

  /** Creates a test: an alert in the inbox and its delivery to one channel, which is claimed at once. */
  async claimTest(owner: string, channelId: string, message: AlertMessage): Promise<Claim | undefined> {
    const [alertId, id] = [randomUUID(), randomUUID()];
    const rows = await this.#tables.$queryRaw<Row[]>`
      WITH c AS (
        SELECT * FROM alert_channel WHERE id = ${channelId}::uuid AND owner = ${owner} AND verified_at IS NOT NULL
      ), a AS (
        INSERT INTO alert (id, owner, kind, payload, created_at)
        SELECT ${alertId}::uuid, owner, 'test', ${JSON.stringify(message)}::jsonb, now() FROM c
        RETURNING id, owner, payload, created_at
      ), d AS (
        INSERT INTO alert_delivery (id, alert_id, channel_id, attempts, created_at, available_at)
        SELECT ${id}::uuid, a.id, c.id, 1, now(), ${secondsFromNow(LEASE_S)} FROM a, c
        RETURNING id, attempts
      )
      SELECT ${columns} FROM a, c, d`;
    return rows[0] && claimOf(rows[0]);
  }

  /** Renews a claim while it is sent. @param onError Called where the claim may be lost meanwhile. */
  hold<T>(claim: Claim, send: () => Promise<T>, onError: (error: unknown) => void): Promise<T> {
    return this.#rows.hold(rowOf(claim), send, onError);
  }

  /** Releases a claim that was not sent, so that the next process can take it at once. */
  async release(claim: Claim): Promise<void> {
    await this.#tables.$executeRaw`
      UPDATE alert_delivery SET available_at = now() WHERE ${claimedBy(rowOf(claim))} AND state = 'PENDING'`;
  }

  /**
   * Records that the target has received the message. This ends earlier failures of the channel, and a test enables a
   * disabled channel again.
   */
  async delivered(claim: Claim): Promise<void> {
    const { facts, channel } = claim;
    const isTest = facts.message.kind === "test";
    await this.#tables.$executeRaw`
      WITH sent AS (
        UPDATE alert_delivery SET state = 'SENT', sent_at = now(), error = NULL
        WHERE ${claimedBy(rowOf(claim))} AND state <> 'SENT'
      )
      UPDATE alert_channel SET failing_at = NULL, error = NULL, error_code = NULL,
        disabled_at = CASE WHEN ${isTest} AND verified_at IS NOT NULL THEN NULL ELSE disabled_at END
      WHERE id = ${channel.id}::uuid AND (failing_at IS NOT NULL OR error IS NOT NULL OR disabled_at IS NOT NULL)`;
  }

  /**
   * Records that a test failed. A test is tried once, and its failure is reported to the caller and does not count for
   * how long the channel has failed.
   */
  async testFailed(claim: Claim, { code, error }: DeliveryFailure): Promise<void> {
    await this.#tables.$executeRaw`
      WITH failed AS (
        UPDATE alert_delivery SET state = 'FAILURE', error = ${error}
        WHERE ${claimedBy(rowOf(claim))} AND state = 'PENDING'
      )
      UPDATE alert_channel SET error = ${error}, error_code = ${code} WHERE id = ${claim.channel.id}::uuid`;
  }

  /**
   * Schedules another attempt, or disables the channel if it has failed for a day.
   *
   * @returns Whether it was disabled.
   */
  async failed(claim: Claim, failure: DeliveryFailure, retryS: number): Promise<boolean> {
    const { code, error } = failure;
    const rows = await this.#tables.$queryRaw<{ over: boolean }[]>`
      WITH later AS (
        UPDATE alert_delivery SET available_at = ${secondsFromNow(retryS)}, error = ${error}
        WHERE ${claimedBy(rowOf(claim))} AND state = 'PENDING' RETURNING id
      )
      UPDATE alert_channel SET failing_at = coalesce(failing_at, now()), error = ${error}, error_code = ${code}
      WHERE id = ${claim.channel.id}::uuid AND disabled_at IS NULL AND EXISTS (SELECT FROM later)
      RETURNING failing_at <= ${secondsFromNow(-MAX_FAILING_S)} AS over`;
    return rows[0]?.over === true && this.disable(claim, failure);
  }

  /**
   * Disables a channel, ends its waiting deliveries, and adds a note to its owner's inbox, in one statement so that
   * there is one note.
   *
   * @returns Whether it was enabled before.
   */
  async disable({ channel, owner, facts }: Claim, { code, error }: DeliveryFailure): Promise<boolean> {
    const note = JSON.stringify(await disabledNote(channel.name, { code, error }, facts.message.language));
    const count = await this.#tables.$executeRaw`
      WITH off AS (
        UPDATE alert_channel SET disabled_at = now(), failing_at = coalesce(failing_at, now()), error = ${error},
          error_code = ${code}
        WHERE id = ${channel.id}::uuid AND disabled_at IS NULL RETURNING id
      ), ended AS (
        UPDATE alert_delivery SET state = 'FAILURE', error = ${error}
        WHERE channel_id IN (SELECT id FROM off) AND state = 'PENDING'
      )
      INSERT INTO alert (id, owner, kind, payload, created_at)
      SELECT ${randomUUID()}::uuid, ${owner}, 'channel', ${note}::jsonb, now() FROM off`;
    return count > 0;
  }

  sweep(): Promise<void> {
    return this.#rows.sweep(MAX_AGE_DAYS);
  }
}

/** A message that does not belong to a watch. */
export function noticeMessage(
  kind: AlertMessage["kind"],
  language: string,
  { title, sentence }: Pick<AlertMessage, "title" | "sentence">,
): AlertMessage {
  return {
    kind,
    watch_id: null,
    watch_name: "",
    title,
    sentence,
    language,
    run: null,
    run_at: null,
    valid_at: null,
    ends_at: null,
    quantity: null,
    value: null,
    limit: null,
    unit: null,
    peak_at: null,
    lead_hours: null,
    place: null,
    link: "/inbox",
    synthetic: false,
  };
}

async function disabledNote(
  name: string,
  { code, error }: DeliveryFailure,
  language: string,
): Promise<AlertMessage> {
  const { disabled } = mailWordsIn(language);
  const why = deliveryFaultText({ error, error_code: code }, await channelWordsOf(language));
  const texts = { title: disabled.title({ name }), sentence: disabled.sentence({ error: why }) };
  return noticeMessage("channel", language, texts);
}

const rowOf = ({ facts: { id }, attempts }: Claim): RowClaim => ({ id, attempts });

function claimOf({ id, alertId, createdAt, message, owner, attempts, channelId, ...channel }: Row): Claim {
  return {
    facts: { id, alertId, createdAt, message },
    owner,
    channel: { id: channelId, ...channel },
    attempts,
  };
}

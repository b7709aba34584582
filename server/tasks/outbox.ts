import { randomUUID } from "node:crypto";
import type { PrismaClient } from "#prisma/generated/client.ts";
import type { OutboxModel } from "#prisma/generated/models.ts";
import { type Mailer, MailRefusedError } from "#server/platform/mail.ts";
import { secondsFromNow } from "./end-task.ts";
import type { TaskLog } from "./task.ts";
import { type TaskMailFacts, taskMail, taskMailFacts } from "./task-mail.ts";

export interface OutboxDeps {
  tables: Pick<PrismaClient, "outbox" | "$queryRaw" | "$executeRaw">;
  mailer: Mailer;
  publicUrl: string;
  log: TaskLog;
}

const POLL_MS = 1_000;

const SWEEP_MS = 3_600_000;

/** A row belongs to its sender for so long, seconds, and again from each of the beats on: a killed sender has none. */
const SENDING_S = 15;
const BEAT_MS = 4_000;

/** Seconds before an email that could not be sent is tried again, by the number of attempts; after the last it is given up. */
const RETRY_S = [10, 60, 300, 900, 3_600, 10_800, 21_600, 43_200];

/** Age at which rows are deleted, days. */
const MAX_AGE_DAYS = 30;

/**
 * Sends the emails of the outbox: rows that were written by the statement that ended their task.
 *
 * An email that the mail server accepted is marked at once. If the process is killed between the two, the email is sent
 * again under the same Message-ID. It is never lost, and mailboxes show it once.
 */
export class Outbox {
  readonly #deps: OutboxDeps;
  #timers: NodeJS.Timeout[] = [];
  #sending: Promise<void> | undefined;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
  }

  start(): void {
    const { log } = this.#deps;
    const sweep = () =>
      this.sweep().catch((error: unknown) => log.warn({ err: error }, "old mails were not removed"));
    this.#timers = [setInterval(() => void this.poll(), POLL_MS), setInterval(() => void sweep(), SWEEP_MS)];
    void this.poll();
  }

  /** Adds the email about a request that was answered at once. Durable when this returns. */
  async post(address: string, facts: TaskMailFacts): Promise<void> {
    await this.#deps.tables.$executeRaw`
      INSERT INTO outbox (id, task_id, address, payload, created_at, available_at)
      VALUES (${randomUUID()}::uuid, ${facts.task_id}::uuid, ${address}, ${JSON.stringify(facts)}::jsonb, now(), now())`;
  }

  /** Sends all emails that are due. Never rejects: what fails is tried by a later poll. */
  poll(): Promise<void> {
    this.#sending ??= this.#sendAll()
      .catch((error: unknown) => this.#deps.log.warn({ err: error }, "the outbox cannot be read"))
      .finally(() => {
        this.#sending = undefined;
      });
    return this.#sending;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#sending;
    this.#deps.mailer.close();
  }

  /** Deletes old rows. */
  async sweep(): Promise<void> {
    await this.#deps.tables.$executeRaw`
      DELETE FROM outbox WHERE created_at <= ${secondsFromNow(-86_400 * MAX_AGE_DAYS)}`;
  }

  async #sendAll(): Promise<void> {
    for (let email = await this.#claim(); email; email = await this.#claim()) await this.#send(email);
  }

  /** The next email that is due. No other process claims it meanwhile. */
  async #claim(): Promise<OutboxModel | undefined> {
    const { tables } = this.#deps;
    const rows = await tables.$queryRaw<{ id: string }[]>`
      UPDATE outbox SET attempts = attempts + 1, available_at = ${secondsFromNow(SENDING_S)}
      WHERE id = (
        SELECT id FROM outbox WHERE sent_at IS NULL AND error IS NULL AND available_at <= now()
        ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED
      ) RETURNING id::text`;
    const id = rows[0]?.id;
    return id === undefined ? undefined : ((await tables.outbox.findUnique({ where: { id } })) ?? undefined);
  }

  async #send(email: OutboxModel): Promise<void> {
    const { tables, mailer, publicUrl, log } = this.#deps;
    const { id, taskId, address, attempts } = email;
    const endBeats = this.#beat(id);
    try {
      try {
        await mailer.send(taskMail(id, address, taskMailFacts.parse(email.payload), publicUrl));
      } finally {
        await endBeats();
      }
    } catch (error) {
      const retryS = error instanceof MailRefusedError ? undefined : RETRY_S[attempts - 1];
      log.warn(
        { err: error, taskId, attempts },
        retryS === undefined ? "a mail is given up" : "a mail could not be sent",
      );
      const reason = error instanceof Error ? error.message : String(error);
      if (retryS === undefined) await tables.outbox.update({ where: { id }, data: { error: reason } });
      else
        await tables.$executeRaw`
          UPDATE outbox SET available_at = ${secondsFromNow(retryS)} WHERE id = ${id}::uuid`;
      return;
    }
    await tables.$executeRaw`UPDATE outbox SET sent_at = now() WHERE id = ${id}::uuid`;
  }

  /** Extends the time of a row while it is sent. @returns Ends that; resolves when the last beat has been written. */
  #beat(id: string): () => Promise<void> {
    const { tables, log } = this.#deps;
    let last: Promise<unknown> = Promise.resolve();
    const timer = setInterval(() => {
      last = tables.$executeRaw`
        UPDATE outbox SET available_at = ${secondsFromNow(SENDING_S)} WHERE id = ${id}::uuid`.catch(
        (error: unknown) => log.warn({ err: error, id }, "a mail may be sent twice"),
      );
    }, BEAT_MS);
    return async () => {
      clearInterval(timer);
      await last;
    };
  }
}

import { randomUUID } from "node:crypto";
import type { PrismaClient } from "#prisma/generated/client.ts";
import type { OutboxModel } from "#prisma/generated/models.ts";
import type { Clock } from "#server/platform/clock.ts";
import { type Mailer, MailRefusedError } from "#server/platform/mail.ts";
import { type TaskMailFacts, taskMail, taskMailFacts } from "./task-mail.ts";

export interface OutboxDeps {
  tables: Pick<PrismaClient, "outbox" | "$queryRaw">;
  mailer: Mailer;
  /** The machine's: letters wait by real time. */
  clock: Clock;
  publicUrl: string;
  log: { info: Write; warn: Write; error: Write };
}

type Write = (fields: object, message: string) => void;

/** How often the outbox is looked at, milliseconds. */
const LOOK_MS = 1_000;

const SWEEP_MS = 3_600_000;

/** A sender that was silent for so long has been killed: longer than the mail server is waited for. Seconds. */
const SENDING_S = 60;

/** Seconds before a letter that could not be sent is tried again, by tries so far; after the last it is given up. */
const PAUSES_S = [10, 60, 300, 900, 3_600, 10_800, 21_600, 43_200];

/** Letters are forgotten when they are this old, days. */
const KEPT_DAYS = 30;

/**
 * Sends what lies in the outbox: rows that were written by the statement that ended their task.
 *
 * A letter that the mail server took is marked at once; when the process is killed between the two, the letter goes out
 * again under the same Message-ID. It is never lost, and mailboxes show it once.
 */
export class Outbox {
  readonly #parts: OutboxDeps;
  #timers: NodeJS.Timeout[] = [];
  #sending: Promise<void> | undefined;

  constructor(parts: OutboxDeps) {
    this.#parts = parts;
  }

  start(): void {
    const { log } = this.#parts;
    const sweep = () =>
      this.sweep().catch((error: unknown) => log.warn({ err: error }, "old mails were not removed"));
    this.#timers = [setInterval(() => void this.look(), LOOK_MS), setInterval(() => void sweep(), SWEEP_MS)];
    void this.look();
  }

  /** Puts the letter about a request that was answered at once. Durable when this returns. */
  async post(address: string, facts: TaskMailFacts): Promise<void> {
    const now = this.#time();
    const { task_id: taskId } = facts;
    await this.#parts.tables.outbox.create({
      data: { id: randomUUID(), taskId, address, payload: facts, createdAt: now, availableAt: now },
    });
  }

  /** Sends all that is due. Never throws: what fails is for the next look. */
  look(): Promise<void> {
    this.#sending ??= this.#sendAll()
      .catch((error: unknown) => this.#parts.log.warn({ err: error }, "the outbox cannot be read"))
      .finally(() => {
        this.#sending = undefined;
      });
    return this.#sending;
  }

  async close(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#sending;
    this.#parts.mailer.close();
  }

  /** Removes old letters. */
  async sweep(): Promise<void> {
    await this.#parts.tables.outbox.deleteMany({
      where: { createdAt: { lte: this.#time(-86_400 * KEPT_DAYS) } },
    });
  }

  async #sendAll(): Promise<void> {
    for (let letter = await this.#take(); letter; letter = await this.#take()) await this.#send(letter);
  }

  /** The next letter that is due, which no other process takes meanwhile. */
  async #take(): Promise<OutboxModel | undefined> {
    const { tables } = this.#parts;
    const rows = await tables.$queryRaw<{ id: string }[]>`
      UPDATE outbox SET attempts = attempts + 1, available_at = ${this.#time(SENDING_S)}
      WHERE id = (
        SELECT id FROM outbox WHERE sent_at IS NULL AND error IS NULL AND available_at <= ${this.#time()}
        ORDER BY created_at LIMIT 1 FOR UPDATE SKIP LOCKED
      ) RETURNING id::text`;
    const id = rows[0]?.id;
    return id === undefined ? undefined : ((await tables.outbox.findUnique({ where: { id } })) ?? undefined);
  }

  async #send(letter: OutboxModel): Promise<void> {
    const { tables, mailer, publicUrl, log } = this.#parts;
    const { id, taskId, address, attempts } = letter;
    try {
      await mailer.send(taskMail(id, address, taskMailFacts.parse(letter.payload), publicUrl));
    } catch (error) {
      const pause = error instanceof MailRefusedError ? undefined : PAUSES_S[attempts - 1];
      log.warn(
        { err: error, taskId, attempts },
        pause === undefined ? "a mail is given up" : "a mail could not be sent",
      );
      const reason = error instanceof Error ? error.message : String(error);
      const data = pause === undefined ? { error: reason } : { availableAt: this.#time(pause) };
      await tables.outbox.update({ where: { id }, data });
      return;
    }
    await tables.outbox.update({ where: { id }, data: { sentAt: this.#time() } });
  }

  #time(seconds = 0): Date {
    return new Date((this.#parts.clock.now() + seconds) * 1000);
  }
}

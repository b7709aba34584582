import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { TaskKind } from "#lib/contract/task.ts";
import { escapeMarkup, linkedHtml } from "#lib/markup.ts";
import { Prisma, type PrismaClient } from "#prisma/generated/client.ts";
import type { OutboxModel } from "#prisma/generated/models.ts";
import { ClaimedRows, claimedBy, isOver, secondsFromNow } from "#server/platform/claimed-rows.ts";
import { type Mail, type Mailer, MailRefusedError } from "#server/platform/mail.ts";
import { Poller } from "#server/platform/poller.ts";
import type { TaskLog } from "./task.ts";

export interface OutboxDeps {
  tables: Pick<PrismaClient, "outbox" | "$queryRaw" | "$executeRaw">;
  mailer: Pick<Mailer, "send">;
  publicUrl: string;
  log: TaskLog;
}

const POLL_MS = 1_000;

const SWEEP_MS = 3_600_000;

/** A claimed row belongs to its sender for this long, seconds, and again after each renewal. */
const SENDING_S = 15;

/**
 * Seconds before an email that could not be sent is tried again, by the number of attempts. After the last one it is
 * abandoned.
 */
const RETRY_S = [10, 60, 300, 900, 3_600, 10_800, 21_600, 43_200];
const LONGEST_S = Math.max(...RETRY_S);

/** Age at which rows are deleted, days. */
const MAX_AGE_DAYS = 30;

/**
 * Sends the emails of the outbox. The statement that ends a task also writes the row of its email.
 *
 * An email that the mail server accepted is marked at once. If the process is killed in between, the email is sent
 * again under the same Message-ID. It is never lost, and mailboxes show it once.
 */
export class Outbox {
  readonly #deps: OutboxDeps;
  readonly #rows: ClaimedRows;
  readonly #sending: Poller;
  readonly #sweeping: Poller;
  #isClosing = false;

  constructor(deps: OutboxDeps) {
    this.#deps = deps;
    this.#rows = new ClaimedRows(deps.tables, "outbox", SENDING_S);
    const onError = (message: string) => (err: unknown) => deps.log.warn({ err }, message);
    this.#sending = new Poller({
      everyMs: POLL_MS,
      work: () => this.#sendAll(),
      onError: onError("the outbox cannot be read"),
    });
    this.#sweeping = new Poller({
      everyMs: SWEEP_MS,
      work: () => this.#rows.sweep(MAX_AGE_DAYS),
      onError: onError("old mails were not removed"),
    });
  }

  start(): void {
    this.#sending.start();
    this.#sweeping.start();
  }

  /** Adds the email about a request that was answered at once. It is durable when this returns. */
  async post(address: string, facts: TaskMailFacts): Promise<void> {
    await this.#deps.tables.$executeRaw`
      INSERT INTO outbox (id, task_id, address, payload, created_at, available_at)
      VALUES (${randomUUID()}::uuid, ${facts.task_id}::uuid, ${address}, ${JSON.stringify(facts)}::jsonb, now(), now())`;
  }

  /** Sends all emails that are due. Never rejects: a later poll retries failures. */
  poll(): Promise<void> {
    return this.#sending.poll();
  }

  /** Stops sending. An email in progress is waited for; the mailer limits its time. */
  async close(): Promise<void> {
    this.#isClosing = true;
    await Promise.all([this.#sending.close(), this.#sweeping.close()]);
  }

  async #sendAll(): Promise<void> {
    while (!this.#isClosing) {
      const email = await this.#claim();
      if (!email) return;
      await this.#send(email);
    }
  }

  async #claim(): Promise<OutboxModel | undefined> {
    const claim = await this.#rows.claim(
      Prisma.sql`WHERE sent_at IS NULL AND error IS NULL AND ${isOver(Prisma.sql`available_at`, LONGEST_S)} ORDER BY created_at`,
    );
    if (!claim) return undefined;
    const row = await this.#deps.tables.outbox.findUnique({ where: { id: claim.id } });
    return row ? { ...row, ...claim } : undefined;
  }

  async #send(email: OutboxModel): Promise<void> {
    const { tables, mailer, publicUrl, log } = this.#deps;
    const { id, taskId, address, attempts } = email;
    try {
      const mail = taskMail(id, address, taskMailFacts.parse(email.payload), publicUrl);
      await this.#rows.hold(
        email,
        () => mailer.send(mail),
        (err) => log.warn({ err, id }, "a mail may be sent twice"),
      );
    } catch (error) {
      const retryS = error instanceof MailRefusedError ? undefined : RETRY_S[attempts - 1];
      log.warn(
        { err: error, taskId, attempts },
        retryS === undefined ? "a mail is given up" : "a mail could not be sent",
      );
      const reason = error instanceof Error ? error.message : String(error);
      const end =
        retryS === undefined
          ? Prisma.sql`error = ${reason}`
          : Prisma.sql`available_at = ${secondsFromNow(retryS)}`;
      await tables.$executeRaw`UPDATE outbox SET ${end} WHERE ${claimedBy(email)}`;
      return;
    }
    await tables.$executeRaw`UPDATE outbox SET sent_at = now() WHERE ${claimedBy(email)}`;
  }
}

/**
 * Content of the email about a task, written by the statement that ended the task. It contains neither data nor key.
 */
export const taskMailFacts = z.object({
  task_id: z.string(),
  kind: z.string(),
  task_name: z.string().nullable(),
  status: z.enum(["SUCCESS", "FAILURE"]),
  error: z.string().nullable(),
  size: z.number().nullable(),
  created_at: z.string(),
  finished_at: z.string(),
  /** null for a request that was answered at once, of which nothing is stored. */
  expires_at: z.string().nullable(),
  synthetic: z.boolean(),
});

/** Units in which the size of a request is counted. */
const units: Readonly<Record<TaskKind, string>> = {
  MetOcean: "points",
  "2DMetOcean": "values of a map",
  files: "values of a file",
  "passages/evaluate": "places of passages",
  "passages/optimise": "nautical miles of a route",
  workability: "values of a series",
};

export type TaskMailFacts = z.infer<typeof taskMailFacts>;

/**
 * Writes the email about a task, as text and as HTML with the same words.
 *
 * @param id Id of the email. It never changes.
 * @param publicUrl Public address of the service, without a trailing slash.
 */
export function taskMail(id: string, to: string, facts: TaskMailFacts, publicUrl: string): Mail {
  const done = facts.status === "SUCCESS";
  const title = facts.task_name?.trim()
    ? `“${facts.task_name.trim()}”`
    : `Your ${facts.expires_at === null ? "request" : "task"}`;
  const headline = `${title} ${done ? "is finished" : "has failed"}`;
  const unit = units[facts.kind as TaskKind] ?? "values";
  const amount = facts.size === null ? "" : `, ${facts.size.toLocaleString("en")} ${unit}`;
  const { expires_at } = facts;
  const rows: Row[] = [
    ["Status", facts.status],
    ...(facts.error ? [row("Reason", facts.error)] : []),
    ["Request", `${facts.kind}${amount}`],
    ["Accepted", instant(facts.created_at)],
    ["Finished", instant(facts.finished_at)],
    ...(expires_at === null ? [] : [row(done ? "Result kept until" : "Listed until", instant(expires_at))]),
    ["Task", facts.task_id],
    ...(expires_at === null ? [] : [row("Open it", `${publicUrl}/tasks?task=${facts.task_id}`)]),
  ];
  const notes = [
    ...(expires_at === null
      ? [
          "It was answered at once, in the reply to the request. Its result is not stored, and it is not in the list of tasks.",
        ]
      : []),
    ...(facts.synthetic ? ["The numbers come from the synthetic demo world: they are invented."] : []),
    "Not for navigation.",
  ];
  return {
    id,
    to,
    subject: `Open MetOcean: ${headline}`,
    text: `${[headline, "", ...rows.map(([label, value]) => `${label}: ${value}`), "", ...notes].join("\n")}\n`,
    html: [
      `<p>${escapeMarkup(headline)}</p>`,
      "<table>",
      ...rows.map(
        ([label, value]) => `<tr><td>${escapeMarkup(label)}</td><td>${linkedHtml(value)}</td></tr>`,
      ),
      "</table>",
      ...notes.map((note) => `<p>${escapeMarkup(note)}</p>`),
    ].join("\n"),
  };
}

type Row = [label: string, value: string];

const row = (label: string, value: string): Row => [label, value];

/** Converts any ISO 8601 time to the API's own form. */
function instant(text: string): string {
  return `${new Date(text).toISOString().slice(0, 19)}Z`;
}

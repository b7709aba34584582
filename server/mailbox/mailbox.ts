import { createHmac } from "node:crypto";
import { readMailRequests } from "#lib/saildocs/request.ts";
import { DAY_S } from "#lib/time.ts";
import type { RowClaim } from "#server/platform/claimed-rows.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Database } from "#server/platform/db.ts";
import { LateError, within } from "#server/platform/deadline.ts";
import { type Mail, type Mailer, MailRefusedError } from "#server/platform/mail.ts";
import { Poller } from "#server/platform/poller.ts";
import type { Leadership } from "#server/platform/session.ts";
import { type Answer, answerText, boundText, LATER, type MailWeather } from "./answer.ts";
import type { Inbox } from "./inbox.ts";
import { type Incoming, isReplyToUs, keyIn, messageIdOf, requestIdOf, senderOf } from "./incoming.ts";
import { MAX_ATTEMPTS, type RequestRows } from "./request-rows.ts";

export interface MailboxDeps {
  /** Opens the mailbox. @param onNew Called when a message arrives. @param signal Closes it. */
  open(onNew: () => void, signal: AbortSignal): Promise<Inbox>;
  lead: Database["lead"];
  rows: RequestRows;
  weather: MailWeather;
  mailer: Pick<Mailer, "send">;
  /** Addresses of this service, in small letters. */
  own: readonly string[];
  /** Addresses, and domains as `@example.org`, whose messages are answered. In small letters. */
  senders: readonly string[];
  /** Finds the id of a valid key. */
  keyId(text: string): Promise<string | undefined>;
  /** Hashes senders. */
  secret: string;
  /** Most answers of a sender within 24 hours. */
  perDay: number;
  /** Largest e-mail, bytes. */
  maxBytes: number;
  clock: Clock;
  log: { info(fields: object, message: string): void; warn(fields: object, message: string): void };
}

/** How often the mailbox is read if its server does not announce messages, milliseconds. */
const POLL_MS = 30_000;
const SWEEP_MS = 3_600_000;

/** Age up to which messages are answered, days: an e-mail that cannot be sent is tried for nearly a day. */
const MAX_AGE_DAYS = 2;

/** Longest time for the answer to one message, milliseconds. */
const MAX_ANSWER_MS = 300_000;

/** The two numbers of the advisory lock. They are arbitrary but the same in every process. */
const SPACE = 1_718_773_098;
const MAILBOX = 1;

/**
 * Answers the requests of a mailbox, one after another, in one process at a time.
 *
 * A message is noted in a row, claimed, answered, and its row ended. If the process is killed between the last two, the
 * answer is sent again under the same Message-ID: an answer is never lost, and mailboxes show it once. Messages of
 * strangers are neither answered nor noted.
 */
export class Mailbox {
  readonly #deps: MailboxDeps;
  readonly #closing = new AbortController();
  readonly #reading: Poller;
  readonly #sweeping: Poller;
  #lead: Leadership | undefined;
  #inbox: Inbox | undefined;
  /** Numbers of messages in the open mailbox about which nothing is to be done any more. */
  readonly #done = new Set<number>();

  constructor(deps: MailboxDeps) {
    this.#deps = deps;
    const onError = (message: string) => (err: unknown) => {
      if (!this.#closing.signal.aborted) deps.log.warn({ err }, message);
    };
    this.#reading = new Poller({
      everyMs: POLL_MS,
      work: () => this.#read(),
      onError: onError("the mailbox cannot be read"),
    });
    this.#sweeping = new Poller({
      everyMs: SWEEP_MS,
      work: () => deps.rows.sweep(),
      onError: onError("old requests by e-mail were not removed"),
    });
  }

  start(): void {
    this.#reading.start();
    this.#sweeping.start();
  }

  /** Answers the messages that are there. Never rejects: a later poll tries again. */
  poll(): Promise<void> {
    return this.#reading.poll();
  }

  /** Stops. An e-mail that is being sent is waited for; what has not been answered is answered after the next start. */
  async close(): Promise<void> {
    this.#closing.abort();
    await Promise.all([this.#reading.close(), this.#sweeping.close()]);
    await this.#lead?.close();
  }

  async #read(): Promise<void> {
    const inbox = await this.#openInbox();
    if (!inbox) return;
    const since = new Date((this.#deps.clock.now() - MAX_AGE_DAYS * DAY_S) * 1000);
    for (const mail of await inbox.list(since, this.#done)) {
      if (this.#closing.signal.aborted || this.#lead?.lost.aborted) return;
      if (await this.#handle(inbox, mail)) this.#done.add(mail.uid);
    }
  }

  /** @returns undefined in a process that does not lead. */
  async #openInbox(): Promise<Inbox | undefined> {
    if (this.#lead?.lost.aborted) {
      this.#leave();
      this.#lead = undefined;
    }
    this.#lead ??= await this.#deps.lead(SPACE, MAILBOX);
    if (!this.#lead) return undefined;
    if (this.#inbox && !this.#inbox.isOpen) this.#leave();
    this.#inbox ??= await this.#deps.open(() => void this.poll(), this.#closing.signal);
    return this.#inbox;
  }

  #leave(): void {
    this.#inbox?.close();
    this.#inbox = undefined;
    this.#done.clear();
  }

  /** @returns Whether nothing is to be done any more about the message. */
  async #handle(inbox: Inbox, mail: Incoming): Promise<boolean> {
    const { own, rows, perDay, log } = this.#deps;
    const address = senderOf(mail, own);
    const sender = address === undefined ? undefined : await this.#permitted(address, mail);
    if (address === undefined || sender === undefined) return true;
    const id = requestIdOf(mail, address, inbox.place);
    const { reply, isEnded } = await rows.note(id, sender, perDay);
    if (!isEnded) {
      const claim = await rows.claim(id);
      if (!claim) return false;
      const answered = await rows.hold(
        claim,
        () => this.#answer(inbox, mail, { claim, address, sender, isBound: reply === "bound" }),
        (err) => log.warn({ err, id }, "a request by e-mail may be answered twice"),
      );
      if (!answered) return false;
    }
    await inbox.markAnswered(mail);
    return true;
  }

  /** Hash of the sender; undefined for strangers. The answers of a day are counted by it. */
  async #permitted(address: string, { subject }: Incoming): Promise<string | undefined> {
    const { senders, keyId, secret } = this.#deps;
    const hash = (text: string) => createHmac("sha256", secret).update(`mailbox\0${text}`).digest("hex");
    if (senders.includes(address) || senders.includes(address.slice(address.lastIndexOf("@"))))
      return hash(`address ${address}`);
    const key = keyIn(subject);
    const id = key === undefined ? undefined : await keyId(key);
    return id === undefined ? undefined : hash(`key ${id}`);
  }

  /** @returns false where the message is to be tried again later. */
  async #answer(
    inbox: Inbox,
    mail: Incoming,
    {
      claim,
      address,
      sender,
      isBound,
    }: { claim: RowClaim; address: string; sender: string; isBound: boolean },
  ): Promise<boolean> {
    const { rows, mailer, log } = this.#deps;
    const { id, attempts } = claim;
    try {
      if (attempts > MAX_ATTEMPTS) throw new Error("the process ended during every attempt");
      const answer = isBound
        ? { text: boundText(this.#deps.perDay) }
        : await this.#compose(inbox, mail, sender);
      if (answer) await mailer.send({ ...answer, ...addressed(mail, id, address) });
      await rows.end(claim);
      log.info({ id, attempts }, answer ? "a request by e-mail was answered" : "a reply was ignored");
      return true;
    } catch (err) {
      if (this.#closing.signal.aborted) {
        await rows.release(claim);
        return false;
      }
      const isFinal = err instanceof MailRefusedError || !(await rows.retry(claim));
      log.warn({ err, id, attempts }, isFinal ? "a request by e-mail is given up" : "an answer was not sent");
      // Errors of mail servers name the address, which no row has.
      if (isFinal) await rows.end(claim, err instanceof MailRefusedError ? err.message : "It was not sent");
      // A broken connection fails every other message too.
      if (!inbox.isOpen) throw err;
      return isFinal;
    }
  }

  /** @returns undefined for a reply to an answer that asks for nothing, such as thanks or a note of absence. */
  async #compose(inbox: Inbox, mail: Incoming, owner: string): Promise<Answer | undefined> {
    const { weather, maxBytes, log } = this.#deps;
    const text = await inbox.textOf(mail);
    if (isReplyToUs(mail) && readMailRequests(text ?? "").requests.length === 0) return undefined;
    const onError = (err: unknown) => log.warn({ err }, "a request by e-mail could not be answered");
    return within(MAX_ANSWER_MS, this.#closing.signal, (signal) =>
      answerText(text, { weather, owner, maxBytes, onError }, signal),
    ).catch((error: unknown) => {
      if (!(error instanceof LateError)) throw error;
      onError(error);
      return { text: `${LATER}\n` };
    });
  }
}

/** Everything of an answer but its content. Nothing of the request is copied but its Message-ID, if that is well-formed. */
function addressed(mail: Incoming, id: string, to: string): Pick<Mail, "id" | "to" | "subject" | "headers"> {
  const headers: Record<string, string> = { "Auto-Submitted": "auto-replied" };
  const messageId = messageIdOf(mail);
  if (messageId !== undefined) Object.assign(headers, { "In-Reply-To": messageId, References: messageId });
  return { id, to, subject: "Open MetOcean", headers };
}

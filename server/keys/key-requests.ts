import { createHash, randomBytes, randomUUID } from "node:crypto";
import { domainToASCII } from "node:url";
import { type Limit, parseLimit } from "#lib/contract/limits.ts";
import { linkedHtml } from "#lib/markup.ts";
import { DAY_S } from "#lib/time.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Mail, Mailer } from "#server/platform/mail.ts";
import type { KeyStore } from "./keys.ts";

export interface KeyRequestDeps {
  tables: Pick<PrismaClient, "keyRequest" | "$executeRaw" | "$queryRaw" | "$transaction">;
  keys: Pick<KeyStore, "create" | "retire">;
  mailer: Pick<Mailer, "send">;
  /** Public address of the service. */
  publicUrl: string;
  /** Limit of new keys. */
  limit: Limit;
  /** The database's clock. */
  clock: Clock;
  log: { warn(fields: object, message: string): void };
}

/** How long a link works, seconds. */
const VALID_S = 3600;

/** Most e-mails in a day to all addresses together, counted across processes. */
export const dailyLimit = parseLimit("300 per 1 day")!;

/** Most e-mails to one address in a day. */
const MAX_A_DAY = 3;

/** Most valid keys of one address. Another key revokes the oldest. */
const MAX_KEYS = 3;

/**
 * Gives a key to a person who can read an e-mail address. A request sends a link with a token, of which the database
 * has only the hash. The token creates one key. The reply reveals nothing about the address: it is sent before the
 * e-mail, and is the same when no e-mail is sent.
 */
export class KeyRequests {
  readonly #deps: KeyRequestDeps;
  readonly #sending = new Set<Promise<void>>();

  constructor(deps: KeyRequestDeps) {
    this.#deps = deps;
  }

  get publicUrl(): string {
    return this.#deps.publicUrl;
  }

  /**
   * Accepts a request. The e-mail is sent later, unless the address has had too many.
   *
   * @param address Address in the form that `mailboxOf` returns.
   * @returns undefined; where `dailyLimit` is reached, the seconds until a request is possible again, at least 1.
   */
  async request(address: string): Promise<number | undefined> {
    const { tables, clock, log } = this.#deps;
    const email = caseless(address);
    const token = randomBytes(32).toString("base64url");
    const now = clock.now();
    const dayAgo = dateOf(now - DAY_S);
    // A row that was written while the clock was ahead does not count for longer than a day.
    const soon = dateOf(now + 60);
    // The statements are the same for every address, so their duration reveals nothing. The lock prevents other
    // processes from writing between counting and inserting.
    const [, , [found]] = await tables.$transaction([
      tables.$executeRaw`LOCK TABLE key_request IN SHARE ROW EXCLUSIVE MODE`,
      tables.keyRequest.deleteMany({ where: { createdAt: { lt: dateOf(now - 2 * DAY_S) } } }),
      tables.$queryRaw<{ sent: number; first: Date | null; accepted: boolean }[]>`
        WITH recent AS (
          SELECT email, created_at FROM key_request WHERE created_at > ${dayAgo} AND created_at <= ${soon}
        ), inserted AS (
          INSERT INTO key_request (token_hash, email, created_at, expires_at)
          SELECT ${hashOf(token)}, ${email}, ${dateOf(now)}, ${dateOf(now + VALID_S)}
          WHERE (SELECT count(*) FROM recent) < ${dailyLimit.count}
            AND (SELECT count(*) FROM recent WHERE email = ${email}) < ${MAX_A_DAY}
          RETURNING 1
        )
        SELECT count(*)::int AS sent, min(created_at) AS first, EXISTS (SELECT FROM inserted) AS accepted FROM recent`,
    ]);
    const { sent, first, accepted } = found!;
    if (sent >= dailyLimit.count) return Math.max(1, Math.ceil(first!.getTime() / 1000 + DAY_S - now));
    if (!accepted) return undefined;
    const sending = this.#send(address, token)
      .catch((error: unknown) => log.warn({ err: error }, "a mail with a link to a key could not be sent"))
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
    return undefined;
  }

  /** @returns The text of the key that a token creates; undefined if the token is unknown, used or expired. */
  async redeem(token: string): Promise<string | undefined> {
    const { tables, keys, clock, limit } = this.#deps;
    const tokenHash = hashOf(token);
    const now = dateOf(clock.now());
    // One statement redeems the token, so that only one of two concurrent requests finds it unused.
    const used = await tables.keyRequest.updateManyAndReturn({
      where: { tokenHash, usedAt: null, expiresAt: { gt: now } },
      data: { usedAt: now },
    });
    const email = used[0]?.email;
    if (email === undefined) return undefined;
    // The prefix keeps this owner apart from any owner that the operator named.
    const owner = `mail:${email}`;
    try {
      const { text } = await keys.create({ owner, email, limit, origin: "e-mail" });
      await keys.retire(owner, MAX_KEYS);
      return text;
    } catch (error) {
      await tables.keyRequest.updateMany({ where: { tokenHash }, data: { usedAt: null } });
      throw error;
    }
  }

  /** Resolves when every e-mail has been sent or abandoned. */
  async close(): Promise<void> {
    await Promise.all(this.#sending);
  }

  async #send(address: string, token: string): Promise<void> {
    const { mailer, publicUrl } = this.#deps;
    await mailer.send(keyMail(randomUUID(), address, token, publicUrl));
  }
}

/**
 * Normalises the domain of an address as the name system writes it, because several spellings of a domain are the same
 * mailbox.
 *
 * @returns undefined where the domain is invalid.
 */
export function mailboxOf(address: string): string | undefined {
  const at = address.lastIndexOf("@") + 1;
  const domain = domainToASCII(address.slice(at));
  return domain === "" ? undefined : address.slice(0, at) + domain;
}

/**
 * The form of an address that names an owner. Only ASCII letters become lower case, because mail servers ignore case
 * there; some other letters turn into ASCII in lower case, and two mailboxes would become one owner.
 */
function caseless(address: string): string {
  return address.replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
}

/** Hashes a token without a secret, which is safe because tokens are long and random. */
function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

function dateOf(seconds: number): Date {
  return new Date(seconds * 1000);
}

/**
 * Writes the e-mail with the link to a new key, as text and as HTML with the same words. Opening the link creates no
 * key, because programs that scan e-mails open links too.
 *
 * @param id Id of the e-mail.
 * @param publicUrl Public address of the service, without a trailing slash.
 * @param token Placed in the fragment, which browsers do not send to servers.
 */
function keyMail(id: string, to: string, token: string, publicUrl: string): Mail {
  const link = `${publicUrl}/#new-key=${token}`;
  const paragraphs = [
    `Somebody, probably you, has asked for an API key of Open MetOcean at ${publicUrl} for this address.`,
    "Open this page and press the button there to make the key. It works once, for an hour:",
    link,
    "If you have not asked for it, do nothing: no key is made.",
  ];
  return {
    id,
    to,
    subject: "Open MetOcean: your API key",
    text: `${paragraphs.join("\n\n")}\n`,
    html: paragraphs.map((text) => `<p>${linkedHtml(text)}</p>`).join("\n"),
  };
}

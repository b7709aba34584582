import { randomUUID } from "node:crypto";
import { type Channel, type ChannelRequest, MAX_CHANNELS } from "#lib/contract/channels.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";
import type { AlertChannelModel } from "#prisma/generated/models.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Mailer } from "#server/platform/mail.ts";
import { type ChannelLinks, confirmMail } from "./alert-mail.ts";
import type { AlertLog } from "./deliveries.ts";
import { checkTarget, type PostDeps } from "./post-once.ts";
import { newWebhookSecret } from "./send-alert.ts";

export interface ChannelsDeps {
  tables: Pick<PrismaClient, "alertChannel" | "$executeRaw" | "$queryRaw" | "$transaction">;
  post: Pick<PostDeps, "allowed" | "lookup">;
  /** undefined without a mail server. */
  mailer: Pick<Mailer, "send"> | undefined;
  links: ChannelLinks;
  publicUrl: string;
  /** The database's clock. */
  clock: Clock;
  log: Pick<AlertLog, "warn">;
}

/** A request cannot be carried out. The message is for its sender. */
export class ChannelError extends Error {
  override readonly name = "ChannelError";
  readonly reason: "exists" | "too many" | "no mail";
  constructor(reason: ChannelError["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

const noMail = () => new ChannelError("no mail", "This service sends no e-mail");
const exists = () => new ChannelError("exists", "There is a channel with this target already");
const tooMany = () => new ChannelError("too many", `There are ${MAX_CHANNELS} channels already: delete one`);

/** Time for which the replaced key of a webhook still signs too, seconds. */
const OLD_SECRET_S = 86_400;

/** The channels of owners. An owner cannot see or change another's channels, and their ids are treated as unknown. */
export class Channels {
  readonly #deps: ChannelsDeps;
  readonly #sending = new Set<Promise<void>>();

  constructor(deps: ChannelsDeps) {
    this.#deps = deps;
  }

  get sendsMail(): boolean {
    return this.#deps.mailer !== undefined;
  }

  get publicUrl(): string {
    return this.#deps.publicUrl;
  }

  /** The channels of an owner, the oldest first. */
  async list(owner: string): Promise<Channel[]> {
    const rows = await this.#deps.tables.alertChannel.findMany({
      where: { owner },
      orderBy: [{ createdAt: "asc" }, { id: "asc" }],
    });
    return rows.map(listed);
  }

  /** Checks whether an email address would be accepted, before an email counts as sent to it. @throws ChannelError. */
  async checkNewAddress(owner: string, target: string): Promise<void> {
    if (!this.sendsMail) throw noMail();
    const held = await this.#deps.tables.alertChannel.findMany({ where: { owner } });
    if (held.some((one) => one.kind === "mail" && one.target === target)) throw exists();
    if (held.length >= MAX_CHANNELS) throw tooMany();
  }

  /**
   * Creates a channel. Webhooks and topics are active at once, an email address only after its reader has confirmed it.
   *
   * @returns The channel, and the key of a webhook.
   * @throws ForbiddenTargetError, ChannelError.
   */
  async create(owner: string, request: ChannelRequest): Promise<{ channel: Channel; secret: string | null }> {
    const { tables, post, mailer } = this.#deps;
    const { kind } = request;
    if (kind === "mail" && !mailer) throw noMail();
    if (kind !== "mail") await checkTarget(post, new URL(request.target));
    const target = kind === "mail" ? request.target : new URL(request.target).href;
    const secret = kind === "webhook" ? newWebhookSecret() : kind === "ntfy" ? (request.token ?? null) : null;
    const id = randomUUID();
    const host = kind === "mail" ? "mail" : new URL(target).host;
    const name = request.name ?? target.slice(0, 100);
    // The lock prevents other writes of this owner between counting and inserting.
    const [, made] = await tables.$transaction([
      tables.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended('alert_channel:' || ${owner}, 0))`,
      tables.$queryRaw<{ held: number; inserted: boolean; known: boolean }[]>`
        WITH held AS (SELECT kind, target FROM alert_channel WHERE owner = ${owner}), inserted AS (
          INSERT INTO alert_channel (id, owner, kind, name, target, host, secret, created_at, verified_at)
          SELECT ${id}::uuid, ${owner}, ${kind}, ${name}, ${target}, ${host}, ${secret}, now(),
            CASE WHEN ${kind} = 'mail' THEN NULL ELSE now() END
          WHERE (SELECT count(*) FROM held) < ${MAX_CHANNELS}
          ON CONFLICT (owner, kind, target) DO NOTHING RETURNING id
        )
        SELECT EXISTS (SELECT FROM inserted) AS inserted,
          EXISTS (SELECT FROM held WHERE kind = ${kind} AND target = ${target}) AS known`,
    ]);
    const { inserted, known } = made[0]!;
    if (known) throw exists();
    if (!inserted) throw tooMany();
    const row = await tables.alertChannel.findUniqueOrThrow({ where: { id } });
    return { channel: listed(row), secret: kind === "webhook" ? secret : null };
  }

  async find(owner: string, id: string): Promise<Channel | undefined> {
    const row = await this.#row(owner, id);
    return row && listed(row);
  }

  /** Deletes a channel and its waiting deliveries. @returns Whether there was one. */
  async remove(owner: string, id: string): Promise<boolean> {
    if (!(await this.#row(owner, id))) return false;
    const { tables } = this.#deps;
    await tables.$executeRaw`
      WITH gone AS (DELETE FROM alert_channel WHERE id = ${id}::uuid AND owner = ${owner} RETURNING id),
      waiting AS (DELETE FROM alert_delivery WHERE channel_id IN (SELECT id FROM gone))
      UPDATE watch SET channels = array_remove(channels, gone.id) FROM gone WHERE gone.id = ANY(watch.channels)`;
    return true;
  }

  /**
   * Replaces the key of a webhook; the previous one signs too for a day. @returns undefined where there is no such
   * webhook.
   */
  async renewSecret(owner: string, id: string): Promise<string | undefined> {
    const row = await this.#row(owner, id);
    if (row?.kind !== "webhook") return undefined;
    const secret = newWebhookSecret();
    await this.#deps.tables.$executeRaw`
      UPDATE alert_channel SET old_secret = secret, secret = ${secret},
        old_secret_until = now() + make_interval(secs => ${OLD_SECRET_S}::float8)
      WHERE id = ${id}::uuid AND owner = ${owner}`;
    return secret;
  }

  /** Sends the email with the link that confirms an address. It is sent in the background, and a failure is logged. */
  sendConfirmation({ id, target }: Pick<Channel, "id" | "target">, language: string): void {
    const { mailer, links, publicUrl, clock, log } = this.#deps;
    if (!mailer) return;
    const token = links.token("confirm", id, target, clock.now());
    const facts = { id: randomUUID(), to: target, channelId: id, publicUrl };
    const sending = mailer
      .send(confirmMail(facts, token, language))
      .catch((error: unknown) =>
        log.warn({ err: error, channel: id }, "a mail to confirm an address was not sent"),
      )
      .finally(() => this.#sending.delete(sending));
    this.#sending.add(sending);
  }

  /** Resolves when every email has been sent or abandoned. */
  async close(): Promise<void> {
    await Promise.all(this.#sending);
  }

  /** Activates a channel after its reader agreed. @returns Whether the link is valid. */
  async confirm(id: string, token: string): Promise<boolean> {
    const row = await this.#linked(id, token, "confirm");
    if (!row) return false;
    await this.#deps.tables.$executeRaw`
      UPDATE alert_channel SET verified_at = now(), disabled_at = NULL, failing_at = NULL, error = NULL
      WHERE id = ${row.id}::uuid AND (verified_at IS NULL OR disabled_at IS NOT NULL)`;
    return true;
  }

  /** Stops deliveries to a channel until its reader confirms it again. @returns Whether the link is valid. */
  async unsubscribe(id: string, token: string): Promise<boolean> {
    const row = await this.#linked(id, token, "unsubscribe");
    if (!row) return false;
    await this.#deps.tables.$executeRaw`
      WITH off AS (
        UPDATE alert_channel SET verified_at = NULL, disabled_at = coalesce(disabled_at, now()), failing_at = NULL, error = NULL
        WHERE id = ${row.id}::uuid RETURNING id
      )
      UPDATE alert_delivery SET state = 'FAILURE', error = 'unsubscribed'
      WHERE channel_id IN (SELECT id FROM off) AND state = 'PENDING'`;
    return true;
  }

  async #linked(id: string, token: string, purpose: "confirm" | "unsubscribe") {
    const { tables, links, clock } = this.#deps;
    const row = isUuid(id) ? await tables.alertChannel.findUnique({ where: { id } }) : null;
    return row?.kind === "mail" && links.check(token, purpose, row.id, row.target, clock.now())
      ? row
      : undefined;
  }

  async #row(owner: string, id: string): Promise<AlertChannelModel | undefined> {
    // A malformed id is looked up too, so that its answer takes as long as that of another owner's id.
    const where = { id: isUuid(id) ? id : NOBODY, owner };
    return (await this.#deps.tables.alertChannel.findFirst({ where })) ?? undefined;
  }
}

const NOBODY = "00000000-0000-0000-0000-000000000000";

const isUuid = (text: string) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(text);

function listed(row: AlertChannelModel): Channel {
  const { id, name, target, error, failingAt, createdAt } = row;
  return {
    id,
    kind: row.kind as Channel["kind"],
    name,
    target,
    state: stateOf(row),
    error,
    error_code: row.errorCode as Channel["error_code"],
    failing_since: failingAt && instant(failingAt),
    created_at: instant(createdAt),
  };
}

function stateOf({ verifiedAt, disabledAt, failingAt }: AlertChannelModel): Channel["state"] {
  if (verifiedAt === null) return disabledAt === null ? "unconfirmed" : "unsubscribed";
  if (disabledAt !== null) return "disabled";
  return failingAt === null ? "active" : "failing";
}

const instant = (date: Date) => `${date.toISOString().slice(0, 19)}Z`;

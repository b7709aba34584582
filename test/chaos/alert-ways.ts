import { setTimeout as delay } from "node:timers/promises";
import { openReceiver, type Receiver } from "#test/alerts.ts";
import { openSmtpStub, type SmtpStub } from "#test/smtp-stub.ts";
import { messageId } from "./mails.ts";

/** Matches links in emails that confirm an address. */
const CONFIRM = /#confirm-channel=([0-9a-f-]{36})\.(\d{1,12}\.[\w-]{43})/;

/** A webhook, a topic and a mail server on this machine, which answer with a delay. */
export class AlertWays {
  readonly webhook: Receiver;
  readonly topic: Receiver;
  readonly smtp: SmtpStub;

  private constructor(webhook: Receiver, topic: Receiver, smtp: SmtpStub) {
    this.webhook = webhook;
    this.topic = topic;
    this.smtp = smtp;
  }

  static async open(): Promise<AlertWays> {
    const open = () =>
      openReceiver(async (response) => {
        await delay(100 * Math.random());
        response.end();
      });
    return new AlertWays(await open(), await open(), await openSmtpStub());
  }

  /** The confirmations in the links of all emails so far. */
  links(): { channel: string; token: string }[] {
    return this.smtp.emails.flatMap(({ raw }) => {
      // Quoted-printable breaks long lines with a = at their ends, and writes = as =3D.
      const [, channel, token] = CONFIRM.exec(raw.replaceAll("=\r\n", "").replaceAll("=3D", "=")) ?? [];
      return channel && token ? [{ channel, token }] : [];
    });
  }

  /** How often each alert has arrived by each way, by its id on that way. */
  arrived(): Record<"webhook" | "ntfy" | "mail", Map<string, number>> {
    const mails = this.smtp.emails.filter(({ raw }) => /^List-Unsubscribe:/im.test(raw));
    return {
      webhook: counted(this.webhook.received.map(({ headers }) => String(headers["webhook-id"]))),
      ntfy: counted(this.topic.received.map(({ body }) => JSON.parse(body).sequence_id as string)),
      mail: counted(mails.map(({ raw }) => /^<([^@]+)@/.exec(messageId(raw))?.[1] ?? messageId(raw))),
    };
  }

  async close(): Promise<void> {
    this.webhook.close();
    this.topic.close();
    await this.smtp.close();
  }
}

function counted(ids: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const id of ids) counts.set(id, (counts.get(id) ?? 0) + 1);
  return counts;
}

import { randomUUID } from "node:crypto";
import http from "node:http";
import type { AddressInfo } from "node:net";
import type { ChannelKind } from "#lib/contract/channels.ts";
import type { AlertMessage } from "#lib/watches/message.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";
import { channelLinks } from "#server/alerts/alert-mail.ts";
import { Deliveries, type DeliveriesDeps } from "#server/alerts/deliveries.ts";
import { type AlertTables, DeliveryQueue } from "#server/alerts/delivery-queue.ts";
import { networks } from "#server/alerts/post-once.ts";
import { type SendDeps, sendAlert } from "#server/alerts/send-alert.ts";
import type { Clock } from "#server/platform/clock.ts";

export const publicUrl = "https://sea.example.org";

export const testSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";

export const galeAlert: AlertMessage = {
  kind: "fired",
  watch_id: "0199aaaa-0000-7000-8000-000000000001",
  watch_name: "Île d’Ouessant",
  title: "Île d’Ouessant: gust 41 kn – Böe, 突風",
  sentence: "Gusts of 41 kn on Tue 12 Jan 06:00 UTC, more than your limit of 34 kn.",
  language: "en",
  run: "GFS 2027-01-10 12Z",
  run_at: 1_799_582_400,
  valid_at: 1_799_733_600,
  ends_at: 1_799_744_400,
  quantity: "gust_kt",
  value: 41,
  limit: 34,
  unit: "kt",
  peak_at: 1_799_737_200,
  lead_hours: 42,
  place: { latitude: 48.45, longitude: -5.1 },
  link: "/?p=48.45,-5.10&t=2027-01-12T06:00Z",
  synthetic: true,
};

/** A real HTTP server on this machine that receives alerts. */
export interface Receiver {
  url: string;
  received: { url: string; headers: http.IncomingHttpHeaders; body: string }[];
  close(): void;
}

/** @param answer Called when a request has been read; default: 200. */
export async function openReceiver(
  answer: (response: http.ServerResponse, count: number) => void = (response) => void response.end("ok"),
): Promise<Receiver> {
  const received: Receiver["received"] = [];
  const server = http.createServer(async (request, response) => {
    let body = "";
    for await (const chunk of request) body += chunk;
    received.push({ url: request.url!, headers: request.headers, body });
    answer(response, received.length);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    received,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Dependencies of senders in a test, which may send to this machine too. */
export function testSendDeps(clock: Clock, more: Partial<SendDeps> = {}): SendDeps {
  return {
    post: { allowed: networks(["127.0.0.0/8"]) },
    mailer: undefined,
    links: channelLinks("secret of the tests"),
    publicUrl,
    userAgent: "open-metocean/test",
    clock,
    ...more,
  };
}

export function testDeliveries(
  tables: AlertTables,
  deps: SendDeps,
  more: Partial<DeliveriesDeps> = {},
): Deliveries {
  return new Deliveries({
    queue: new DeliveryQueue(tables),
    send: (channel, facts, signal) => sendAlert(deps, channel, facts, signal),
    sendsMail: deps.mailer !== undefined,
    random: () => 0.5,
    log: { info() {}, warn() {} },
    ...more,
  });
}

export async function addChannel(
  prisma: PrismaClient,
  channel: {
    kind: ChannelKind;
    target: string;
    owner?: string;
    secret?: string;
    host?: string;
    verified?: boolean;
  },
): Promise<string> {
  const { kind, target, owner = "Ann", secret, verified = true } = channel;
  const host = channel.host ?? (kind === "mail" ? "mail" : new URL(target).host);
  const row = { id: randomUUID(), owner, kind, name: target, target, host, secret, createdAt: new Date(0) };
  await prisma.alertChannel.create({ data: { ...row, verifiedAt: verified ? new Date(0) : null } });
  return row.id;
}

/** Writes an alert with its deliveries, as the evaluation of watches does. @returns The ids of the deliveries. */
export async function addAlert(
  tables: AlertTables,
  channels: readonly string[],
  { owner = "Ann", message = galeAlert }: { owner?: string; message?: AlertMessage } = {},
): Promise<string[]> {
  const alertId = randomUUID();
  await tables.$executeRaw`
    INSERT INTO alert (id, owner, kind, payload, created_at)
    VALUES (${alertId}::uuid, ${owner}, ${message.kind}, ${JSON.stringify(message)}::jsonb, now())`;
  const ids = channels.map(() => randomUUID());
  for (const [at, channel] of channels.entries())
    await tables.$executeRaw`
      INSERT INTO alert_delivery (id, alert_id, channel_id, created_at, available_at)
      VALUES (${ids[at]}::uuid, ${alertId}::uuid, ${channel}::uuid, now(), now())`;
  return ids;
}

import { channelLinks } from "#server/alerts/alert-mail.ts";
import { Calendars } from "#server/alerts/calendars.ts";
import { Channels } from "#server/alerts/channels.ts";
import { Deliveries, observeDeliveries } from "#server/alerts/deliveries.ts";
import { DeliveryQueue } from "#server/alerts/delivery-queue.ts";
import { networks } from "#server/alerts/post-once.ts";
import { type SendDeps, sendAlert } from "#server/alerts/send-alert.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Database } from "#server/platform/db.ts";
import type { Env } from "#server/platform/env.ts";
import type { Logger } from "#server/platform/log.ts";
import type { Mailer } from "#server/platform/mail.ts";
import type { Metrics } from "#server/platform/metrics.ts";

export interface OpenedAlerts {
  channels: Channels;
  /** Calendars of weather windows. */
  calendars: Calendars;
  /** Delivers alerts to their channels. */
  deliveries: Pick<Deliveries, "test">;
  close(): Promise<void>;
}

interface AlertsDeps {
  database: Pick<Database, "prisma">;
  /** undefined without a mail server. */
  mailer: Mailer | undefined;
  secret: string;
  clock: Clock;
  log: Logger;
  metrics: Metrics;
  version: string;
}

/** Opens the channels and starts the deliveries. Every process delivers; each due alert is claimed by one of them. */
export function openAlerts(env: Pick<Env, "alertNetworks" | "publicUrl">, deps: AlertsDeps): OpenedAlerts {
  const { database, mailer, secret, clock, log, metrics, version } = deps;
  const { publicUrl } = env;
  const links = channelLinks(secret);
  const post = { allowed: networks(env.alertNetworks) };
  const tables = database.prisma;
  const sending: SendDeps = {
    post,
    mailer,
    links,
    publicUrl,
    userAgent: `open-metocean/${version} (+${publicUrl})`,
    clock,
  };
  const deliveries = new Deliveries({
    queue: new DeliveryQueue(tables),
    send: (channel, facts, signal) => sendAlert(sending, channel, facts, signal),
    sendsMail: mailer !== undefined,
    random: Math.random,
    log,
  });
  const channels = new Channels({ tables, post, mailer, links, publicUrl, clock, log });
  observeDeliveries(metrics, tables, deliveries);
  deliveries.start();
  return {
    channels,
    calendars: new Calendars({ tables, publicUrl }),
    deliveries,
    close: async () => {
      await deliveries.close();
      await channels.close();
    },
  };
}

import { buffer } from "node:stream/consumers";
import type { SpotRequestLine } from "#lib/saildocs/request.ts";
import { DAY_S, formatInstant, HOUR_S } from "#lib/time.ts";
import type { KeyStore } from "#server/keys/keys.ts";
import type { MailWeather, Series, WeatherFile } from "#server/mailbox/answer.ts";
import { openInbox } from "#server/mailbox/inbox.ts";
import { Mailbox } from "#server/mailbox/mailbox.ts";
import { RequestRows } from "#server/mailbox/request-rows.ts";
import type { MapSource } from "#server/metocean/box-read.ts";
import { answerPoints, WIND_HEIGHT } from "#server/metocean/points.ts";
import type { OpengribsFiles } from "#server/operations/opengribs-files.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Database } from "#server/platform/db.ts";
import type { Env } from "#server/platform/env.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import type { Logger } from "#server/platform/log.ts";
import type { Mailer } from "#server/platform/mail.ts";

interface MailboxParts {
  database: Pick<Database, "prisma" | "lead">;
  archive: MapSource;
  files: Pick<OpengribsFiles, "file" | "read">;
  keys: Pick<KeyStore, "find">;
  mailer: Mailer;
  secret: string;
  /** Clock of this machine, by which the server of the mailbox is asked. */
  clock: Clock;
  weather: Clock;
  /** Throws while there is no data. */
  ensureData(): Promise<void>;
  log: Logger;
}

/** Connects the mailbox of IMAP_URL with the files of navigation programs and the series of points. */
export function openMailbox(
  { mailbox, mailFrom }: { mailbox: NonNullable<Env["mailbox"]>; mailFrom: string },
  { database, keys, log, mailer, secret, clock, ...parts }: MailboxParts,
): Mailbox {
  const { url, senders, perDay, maxBytes } = mailbox;
  const user = decodeURIComponent(new URL(url).username);
  return new Mailbox({
    open: (onNew, signal) => openInbox(url, onNew, signal),
    lead: database.lead,
    rows: new RequestRows(database.prisma),
    weather: mailWeather(parts),
    mailer,
    own: [user, mailFrom.replace(/^.*<|>$/g, "")].map((address) => address.toLowerCase()),
    senders,
    keyId: async (text) => (await keys.find(text))?.id,
    secret,
    perDay,
    maxBytes,
    clock,
    log,
  });
}

/** The operations that answers are made by. */
export function mailWeather({
  archive,
  files,
  weather,
  ensureData,
}: Pick<MailboxParts, "archive" | "files" | "weather" | "ensureData">): MailWeather {
  return {
    async file(request, maxBytes, owner, signal): Promise<WeatherFile> {
      await ensureData();
      const manifest = await archive.manifest();
      const file = await files.file(owner, request, manifest, weather.now(), signal, maxBytes);
      const [, , number = "", name = ""] = file.path.split("/");
      const body = await files.read(number, name);
      if (!body) throw new UnavailableError("The file was deleted while it was read", 0);
      const { contents, missing, isThinned } = file;
      return { name, content: await buffer(body), contents, missing, isThinned };
    },
    async series({ place, days, hours, variables }: SpotRequestLine, signal): Promise<Series> {
      await ensureData();
      const now = weather.now();
      const step = hours * HOUR_S;
      const first = Math.floor(now / step) * step;
      const count = Math.floor((days * DAY_S) / step) + 1;
      const points = Array.from({ length: count }, (_, at) => ({
        ...place,
        timestamp: formatInstant(first + at * step),
      }));
      const request = { points, variables: [...variables], wind_height: WIND_HEIGHT, receive_mail: false };
      const answer = await answerPoints(archive, { ...request, include_meta: true }, now, signal);
      const runs = answer.meta?.provenance.map(({ model, reference_time: base }) =>
        base === null ? model : `${model} ${base.slice(0, 13)}Z`,
      );
      return {
        rows: answer.results.map(({ coordinates: { timestamp }, conditions }) => ({ timestamp, conditions })),
        runs: [...new Set(runs)],
        isSynthetic: answer.synthetic === true,
      };
    },
  };
}

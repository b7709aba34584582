import { createHmac, timingSafeEqual } from "node:crypto";
import { escapeMarkup, linkedHtml } from "#lib/markup.ts";
import { loadPart } from "#lib/messages/generated/load.ts";
import { mails } from "#lib/messages/generated/mails.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { parseLanguage } from "#lib/messages/language.ts";
import type { AlertMessage } from "#lib/watches/message.ts";
import type { Mail } from "#server/platform/mail.ts";

interface MailFacts {
  /** Id of the email: the same at each attempt. */
  id: string;
  to: string;
  channelId: string;
  /** Token of the link that ends the alerts. */
  unsubscribeToken: string;
  /** Public address of the service, without a slash at its end. */
  publicUrl: string;
}

/** The e-mail of an alert, as text and as HTML with the same words. It can be ended by one click (RFC 8058). */
export function alertMail(message: AlertMessage, facts: MailFacts): Mail {
  const { id, to, channelId, unsubscribeToken, publicUrl } = facts;
  const words = mailWordsIn(message.language);
  const lines = [
    message.title,
    message.sentence,
    ...(message.run === null ? [] : [`${words.run}: ${message.run}`]),
  ];
  const notes = [
    ...(message.kind === "test" ? [words.test] : []),
    ...(message.synthetic ? [words.synthetic] : []),
    words.notForNavigation,
  ];
  const page = `${publicUrl}/inbox#unsubscribe=${channelId}.${unsubscribeToken}`;
  const links: [string, string][] = [
    [words.map, publicUrl + message.link],
    [words.unsubscribe, page],
  ];
  const query = new URLSearchParams({ channel: channelId, token: unsubscribeToken });
  return {
    id,
    to,
    subject: message.title,
    text: `${[...lines, ...notes, ...links.map(([label, url]) => `${label}:\n${url}`)].join("\n\n")}\n`,
    html: [
      ...[...lines, ...notes].map((line) => `<p>${escapeMarkup(line)}</p>`),
      ...links.map(([label, url]) => `<p><a href="${escapeMarkup(url)}">${escapeMarkup(label)}</a></p>`),
    ].join("\n"),
    headers: {
      "List-Unsubscribe": `<${publicUrl}/channels/unsubscribe?${query}>`,
      "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    },
  };
}

/**
 * The e-mail with the link by which its reader takes alerts. Opening the link changes nothing: programs that look for harmful
 * mails open links too.
 */
export function confirmMail(
  { id, to, channelId, publicUrl }: Omit<MailFacts, "unsubscribeToken">,
  token: string,
  language: string,
): Mail {
  const { confirm } = mailWordsIn(language);
  const link = `${publicUrl}/inbox#confirm-channel=${channelId}.${token}`;
  const paragraphs = [confirm.asked({ url: publicUrl }), confirm.press, link, confirm.ignore];
  return {
    id,
    to,
    subject: confirm.subject,
    text: `${paragraphs.join("\n\n")}\n`,
    html: paragraphs.map((text) => `<p>${linkedHtml(text)}</p>`).join("\n"),
  };
}

/** Purpose of a link of an email. */
type LinkPurpose = "confirm" | "unsubscribe";

/** Tokens of links in e-mails. They are computed, so that no table holds them. */
export interface ChannelLinks {
  /** @param sentAt Of a link that ends, Unix seconds; absent for one that does not. */
  token(purpose: LinkPurpose, channelId: string, target: string, sentAt?: number): string;
  /** Whether a token is of such a link, and not too old. */
  check(token: string, purpose: LinkPurpose, channelId: string, target: string, now: number): boolean;
}

/** A link that confirms an address works for this long, seconds. */
const CONFIRM_S = 3 * 86_400;

/** @param secret The service's. Links of before end when it changes. */
export function channelLinks(secret: string): ChannelLinks {
  const key = createHmac("sha256", secret).update("links of channels").digest();
  // The target is part of it: a token is for the address that it was sent to.
  const macOf = (...parts: string[]) =>
    createHmac("sha256", key).update(parts.join("\0")).digest("base64url");
  const token: ChannelLinks["token"] = (purpose, channelId, target, sentAt) => {
    const time = sentAt === undefined ? "0" : String(Math.floor(sentAt));
    return `${time}.${macOf(purpose, channelId, target, time)}`;
  };
  return {
    token,
    check(given, purpose, channelId, target, now) {
      const [, time = ""] = /^(\d{1,12})\.[\w-]{43}$/.exec(given) ?? [];
      if (time === "") return false;
      const expected = Buffer.from(token(purpose, channelId, target, Number(time)));
      const bytes = Buffer.from(given);
      if (bytes.length !== expected.length || !timingSafeEqual(bytes, expected)) return false;
      return purpose === "unsubscribe" || now - Number(time) < CONFIRM_S;
    },
  };
}

/** Words about channels, in English for a language that has none. They are loaded when a channel is disabled, which is rare. */
export function channelWordsOf(language: string): Promise<Messages["channels"]> {
  return loadPart.channels[parseLanguage(language) ?? "en"]();
}

/** What the e-mails of alerts say besides the alert itself, and what the inbox says of a channel. */
export function mailWordsIn(language: string): Messages["mail"] {
  return mails[parseLanguage(language) ?? "en"];
}

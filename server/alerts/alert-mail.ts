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
  /** Public address of the service, without a trailing slash. */
  publicUrl: string;
}

/** Writes the email of an alert, as text and as HTML with the same words. One click unsubscribes (RFC 8058). */
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
 * Writes the email with the link by which its reader agrees to receive alerts. Opening the link changes nothing,
 * because programs that scan emails open links too.
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

type LinkPurpose = "confirm" | "unsubscribe";

/** Tokens of links in emails. They are computed, so no table stores them. */
export interface ChannelLinks {
  /** @param sentAt Unix seconds, for a link that expires; absent for one that does not. */
  token(purpose: LinkPurpose, channelId: string, target: string, sentAt?: number): string;
  /** Whether a token belongs to such a link and has not expired. */
  check(token: string, purpose: LinkPurpose, channelId: string, target: string, now: number): boolean;
}

/** Validity of a link that confirms an address, seconds. */
const CONFIRM_S = 3 * 86_400;

/** @param secret Secret of the service. When it changes, older links end. */
export function channelLinks(secret: string): ChannelLinks {
  const key = createHmac("sha256", secret).update("links of channels").digest();
  // The target is part of the code, so that a token is valid only for the address to which it was sent.
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

/**
 * Words about channels, in English for an unknown language. They are loaded when a channel is disabled, which is rare.
 */
export function channelWordsOf(language: string): Promise<Messages["channels"]> {
  return loadPart.channels[parseLanguage(language) ?? "en"]();
}

/** Words of alert emails, besides the alert itself, and of the inbox about a channel. */
export function mailWordsIn(language: string): Messages["mail"] {
  return mails[parseLanguage(language) ?? "en"];
}

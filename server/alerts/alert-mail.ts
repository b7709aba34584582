import { escapeMarkup, linkedHtml } from "#lib/markup.ts";
import type { AlertMessage } from "#lib/watches/message.ts";
import { alertMailWordsIn } from "#lib/words/alert-mail.ts";
import type { Mail } from "#server/platform/mail.ts";

export interface MailFacts {
  /** Of the e-mail: the same at each attempt. */
  id: string;
  to: string;
  channelId: string;
  /** Of the link that ends the alerts. */
  unsubscribeToken: string;
  /** Where the service is reached from outside, without a slash at its end. */
  publicUrl: string;
}

/** The e-mail of an alert, as text and as HTML with the same words. It can be ended by one click (RFC 8058). */
export function alertMail(message: AlertMessage, facts: MailFacts): Mail {
  const { id, to, channelId, unsubscribeToken, publicUrl } = facts;
  const words = alertMailWordsIn(message.language);
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
  const { confirm } = alertMailWordsIn(language);
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

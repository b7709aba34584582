import { linkedHtml } from "#lib/markup.ts";
import type { Mail } from "#server/platform/mail.ts";

/**
 * The e-mail with the link to a new key, as text and as HTML with the same words. Opening the link makes nothing: programs
 * that look for harmful mails open links too.
 *
 * @param id Of the e-mail.
 * @param publicUrl Where the service is reached from outside, without a slash at its end.
 * @param token In the fragment, which browsers do not send to servers.
 */
export function keyMail(id: string, to: string, token: string, publicUrl: string): Mail {
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

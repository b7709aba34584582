import { createHmac, timingSafeEqual } from "node:crypto";

/** What a link of an e-mail may do. */
export type LinkPurpose = "confirm" | "unsubscribe";

/** Tokens of links in e-mails. They are computed, so that no table holds them. */
export interface ChannelLinks {
  /** @param sentAt Of a link that ends, Unix seconds; absent for one that does not. */
  token(purpose: LinkPurpose, channelId: string, target: string, sentAt?: number): string;
  /** Whether a token is of such a link, and not too old. */
  check(token: string, purpose: LinkPurpose, channelId: string, target: string, now: number): boolean;
}

/** How long a link that confirms an address works, seconds. */
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

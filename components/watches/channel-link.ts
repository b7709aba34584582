import { apiFetch } from "#components/api-client/api-fetch.ts";

/** A link of an e-mail about alerts, which its reader has opened. */
export interface ChannelLink {
  purpose: "confirm" | "unsubscribe";
  channel: string;
  token: string;
}

const FORM = /^#(confirm-channel|unsubscribe)=([0-9a-f-]{36})\.(\d{1,12}\.[\w-]{43})$/;

/** @param hash Fragment of the address, with its sign. @returns undefined for any other. */
export function channelLinkOf(hash: string): ChannelLink | undefined {
  const [, name, channel, token] = FORM.exec(hash) ?? [];
  if (channel === undefined || token === undefined) return undefined;
  return { purpose: name === "unsubscribe" ? "unsubscribe" : "confirm", channel, token };
}

/** Does what a link is for. It needs no key: the link is one. */
export async function followLink({ purpose, channel, token }: ChannelLink): Promise<void> {
  if (purpose === "confirm") await apiFetch("/channels/confirm", { body: { channel, token } });
  else await apiFetch(`/channels/unsubscribe?${new URLSearchParams({ channel, token })}`, { method: "POST" });
}

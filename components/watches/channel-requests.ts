import "#components/api-client/without-eval.ts";
import { queryOptions } from "@tanstack/react-query";
import { apiFetch, retryPolicy } from "#components/api-client/api-fetch.ts";
import { parseReply, readJson } from "#components/api-client/parse-reply.ts";
import {
  type ChannelKind,
  calendarAddress,
  channelCreated,
  channelList,
  channelSecret,
  channelTest,
} from "#lib/contract/channels.ts";
import type { Language } from "#lib/words/language.ts";

/** The channels of the key's owner. */
export const channelsQuery = (key: string) =>
  queryOptions({
    queryKey: ["channels", key],
    queryFn: async ({ signal }) =>
      parseReply(await readJson(await apiFetch("/channels", { key, signal })), channelList),
    refetchOnWindowFocus: true,
    ...retryPolicy,
  });

export interface NewChannel {
  kind: ChannelKind;
  target: string;
  name?: string;
  token?: string;
}

/** @returns The secret of a webhook, null for others. */
export async function addChannel(
  key: string,
  channel: NewChannel,
  language: Language,
): Promise<string | null> {
  const body = { ...channel, ...(channel.kind === "mail" && { language }) };
  const reply = await apiFetch("/channels", { key, body });
  return parseReply(await readJson(reply), channelCreated).secret;
}

export async function deleteChannel(key: string, id: string): Promise<void> {
  await apiFetch(`/channels/${id}`, { key, method: "DELETE" });
}

/** Sends a test. @returns Why it did not arrive; null where it did. */
export async function testChannel(key: string, id: string, language: Language): Promise<string | null> {
  const reply = await apiFetch(`/channels/${id}/test?language=${language}`, { key, method: "POST" });
  const { delivered, error } = parseReply(await readJson(reply), channelTest);
  return delivered ? null : (error ?? "");
}

export async function renewSecret(key: string, id: string): Promise<string> {
  const reply = await apiFetch(`/channels/${id}/secret`, { key, method: "POST" });
  return parseReply(await readJson(reply), channelSecret).secret;
}

/** Sends the link that confirms an address again. */
export async function askConfirmation(key: string, id: string, language: Language): Promise<void> {
  await apiFetch(`/channels/${id}/confirmation?language=${language}`, { key, method: "POST" });
}

/** Makes or changes the address of the calendar. @returns The address. */
export async function openCalendar(key: string): Promise<string> {
  const reply = await apiFetch("/channels/calendar", { key, method: "POST" });
  return parseReply(await readJson(reply), calendarAddress).url;
}

export async function closeCalendar(key: string): Promise<void> {
  await apiFetch("/channels/calendar", { key, method: "DELETE" });
}

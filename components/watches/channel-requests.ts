import "#components/api-client/without-eval.ts";
import { queryOptions } from "@tanstack/react-query";
import { retryPolicy } from "#components/api-client/api-fetch.ts";
import { parseReply } from "#components/api-client/parse-reply.ts";
import { channelService } from "#components/api-client/watch-service.ts";
import {
  type Channel,
  type ChannelKind,
  calendarAddress,
  channelCreated,
  channelList,
  channelSecret,
  channelTest,
} from "#lib/contract/channels.ts";
import type { Language } from "#lib/messages/language.ts";

/** The channels of the key's owner. */
export const channelsQuery = (key: string) =>
  queryOptions({
    queryKey: ["channels", key],
    queryFn: async ({ signal }) => parseReply(await channelService(key).list({ signal }), channelList),
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
  return parseReply(await channelService(key).create(body), channelCreated).secret;
}

export async function deleteChannel(key: string, id: string): Promise<void> {
  await channelService(key).delete(id);
}

/** Sends a test. @returns Why it did not arrive; null where it did. */
export async function testChannel(
  key: string,
  id: string,
  language: Language,
): Promise<Pick<Channel, "error" | "error_code"> | null> {
  const { delivered, ...why } = parseReply(await channelService(key).test(id, { language }), channelTest);
  return delivered ? null : why;
}

export async function renewSecret(key: string, id: string): Promise<string> {
  return parseReply(await channelService(key).renewSecret(id), channelSecret).secret;
}

/** Sends the link that confirms an address again. */
export async function askConfirmation(key: string, id: string, language: Language): Promise<void> {
  await channelService(key).askConfirmation(id, { language });
}

/** Makes or changes the address of the calendar. @returns The address. */
export async function openCalendar(key: string): Promise<string> {
  return parseReply(await channelService(key).openCalendar(), calendarAddress).url;
}

export async function closeCalendar(key: string): Promise<void> {
  await channelService(key).closeCalendar();
}

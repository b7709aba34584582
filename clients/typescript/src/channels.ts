import type {
  CalendarAddress,
  ChannelCreated,
  ChannelList,
  ChannelRequest,
  ChannelSecret,
  ChannelTest,
} from "./contract/channels.ts";
import { textOf } from "./reply-body.ts";
import { type CallOptions, posted, read, type Service, withQuery } from "./request.ts";

type Read = Pick<CallOptions, "signal">;

/** Of the message, as `fr`; default en. */
type Language = { language?: string };

const at = (id: string, rest = "") => `/channels/${encodeURIComponent(id)}${rest}`;
const post = (options?: Read) => ({ ...options, method: "POST" }) as const;

/** Where alerts are sent. */
export const channelOperations = (service: Service) => ({
  list: (options?: Read) => read<ChannelList>(service, "/channels", options),

  /** The secret of a webhook is in this reply and nowhere else. */
  create: (body: ChannelRequest, options?: CallOptions) =>
    read<ChannelCreated>(service, "/channels", posted(body, options)),

  delete: async (id: string, options?: Read): Promise<void> => {
    await service.send(at(id), { ...options, method: "DELETE" });
  },

  /** Sends a test, once. */
  test: (id: string, language: Language = {}, options?: Read) =>
    read<ChannelTest>(service, withQuery(at(id, "/test"), language), post(options)),

  /** Replaces the secret of a webhook; for a day both sign. */
  renewSecret: (id: string, options?: Read) => read<ChannelSecret>(service, at(id, "/secret"), post(options)),

  /** Sends the mail with the link once more. */
  askConfirmation: async (id: string, language: Language = {}, options?: Read): Promise<void> => {
    await service.send(withQuery(at(id, "/confirmation"), language), post(options));
  },

  /** Makes the secret address of the calendar of weather windows, or changes it. */
  openCalendar: (options?: Read) => read<CalendarAddress>(service, "/channels/calendar", post(options)),

  closeCalendar: async (options?: Read): Promise<void> => {
    await service.send("/channels/calendar", { ...options, method: "DELETE" });
  },

  /** The calendar (RFC 5545) at a secret address. @param token Last part of the address. */
  calendar: async (token: string, options?: Read): Promise<string> =>
    textOf(await service.send(`/calendars/${encodeURIComponent(token)}`, options)),
});

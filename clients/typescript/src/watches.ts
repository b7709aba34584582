import type {
  AlertList,
  AlertSent,
  AlertsRead,
  CalendarAddress,
  ChannelCreated,
  ChannelList,
  ChannelRequest,
  ChannelSecret,
  ChannelTest,
  Watch,
  WatchList,
  WatchRequest,
} from "./contract.ts";
import {
  type CallOptions,
  type PageQuery,
  pageOf,
  posted,
  type ReadOptions,
  type ResultPage,
  read,
  type Service,
  textOf,
  withQuery,
} from "./request.ts";

const at = (id: string, rest = "") => `/watches/${encodeURIComponent(id)}${rest}`;

/** Operations on watches: questions that are evaluated again with every new forecast. */
export const watchOperations = (service: Service) => ({
  list: (options?: ReadOptions) => read<WatchList>(service, "/watches", options),

  get: (id: string, options?: ReadOptions) => read<Watch>(service, at(id), options),

  create: (body: WatchRequest, options?: CallOptions) =>
    read<Watch>(service, "/watches", posted(body, options)),

  /** Changes a watch. If its question changes, its state is reset. */
  change: (id: string, body: WatchRequest, options?: CallOptions) =>
    read<Watch>(service, at(id), { ...posted(body, options), method: "PUT" }),

  delete: async (id: string, options?: ReadOptions): Promise<void> => {
    await service.send(at(id), { ...options, method: "DELETE" });
  },

  /** Sends an alert about the present result, through the same channels as a real one. */
  test: (id: string, options?: ReadOptions) =>
    read<AlertSent>(service, at(id, "/test"), { ...options, method: "POST" }),
});

/** The inbox with the results of watches. */
export const alertOperations = (service: Service) => ({
  /** A page of alerts, newest first. */
  list: (query: PageQuery = {}, options?: ReadOptions): Promise<AlertList & ResultPage> =>
    pageOf<AlertList>(service, "/alerts", query, options),

  /** Marks alerts as read; all of them if no ids are given. */
  read: async (body: AlertsRead = {}, options?: CallOptions): Promise<void> => {
    await service.send("/alerts/read", posted(body, options));
  },
});

/** Language of the message, such as `fr`; default en. */
type Language = { language?: string };

const channelAt = (id: string, rest = "") => `/channels/${encodeURIComponent(id)}${rest}`;
const post = (options?: ReadOptions) => ({ ...options, method: "POST" }) as const;

/** Operations on channels, to which alerts are sent. */
export const channelOperations = (service: Service) => ({
  list: (options?: ReadOptions) => read<ChannelList>(service, "/channels", options),

  /** Creates a channel. The secret of a webhook is in this reply only. */
  create: (body: ChannelRequest, options?: CallOptions) =>
    read<ChannelCreated>(service, "/channels", posted(body, options)),

  delete: async (id: string, options?: ReadOptions): Promise<void> => {
    await service.send(channelAt(id), { ...options, method: "DELETE" });
  },

  /** Sends one test message. */
  test: (id: string, language: Language = {}, options?: ReadOptions) =>
    read<ChannelTest>(service, withQuery(channelAt(id, "/test"), language), post(options)),

  /** Replaces the secret of a webhook; for a day messages are signed with both. */
  renewSecret: (id: string, options?: ReadOptions) =>
    read<ChannelSecret>(service, channelAt(id, "/secret"), post(options)),

  /** Sends the confirmation e-mail again. */
  askConfirmation: async (id: string, language: Language = {}, options?: ReadOptions): Promise<void> => {
    await service.send(withQuery(channelAt(id, "/confirmation"), language), post(options));
  },

  /** Creates or replaces the secret address of the calendar of weather windows. */
  openCalendar: (options?: ReadOptions) =>
    read<CalendarAddress>(service, "/channels/calendar", post(options)),

  closeCalendar: async (options?: ReadOptions): Promise<void> => {
    await service.send("/channels/calendar", { ...options, method: "DELETE" });
  },

  /** The calendar (RFC 5545) at a secret address. @param token Last part of the address. */
  calendar: async (token: string, options?: ReadOptions): Promise<string> =>
    textOf(await service.send(`/calendars/${encodeURIComponent(token)}`, options)),
});

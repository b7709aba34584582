import type { AlertList, AlertSent, AlertsRead } from "./contract/alerts.ts";
import type { Watch, WatchList, WatchRequest } from "./contract/watches.ts";
import { type PageQuery, pageOf, type ResultPage } from "./pages.ts";
import { type CallOptions, posted, read, type Service } from "./request.ts";

type Read = Pick<CallOptions, "signal">;

const at = (id: string, rest = "") => `/watches/${encodeURIComponent(id)}${rest}`;

/** Questions that are asked again with every new forecast. */
export const watchOperations = (service: Service) => ({
  list: (options?: Read) => read<WatchList>(service, "/watches", options),

  get: (id: string, options?: Read) => read<Watch>(service, at(id), options),

  create: (body: WatchRequest, options?: CallOptions) =>
    read<Watch>(service, "/watches", posted(body, options)),

  /** With another question it begins anew. */
  change: (id: string, body: WatchRequest, options?: CallOptions) =>
    read<Watch>(service, at(id), { ...posted(body, options), method: "PUT" }),

  delete: async (id: string, options?: Read): Promise<void> => {
    await service.send(at(id), { ...options, method: "DELETE" });
  },

  /** Sends an alert of what it finds now, by the same ways as a real one. */
  test: (id: string, options?: Read) =>
    read<AlertSent>(service, at(id, "/test"), { ...options, method: "POST" }),
});

/** The inbox of what watches have found. */
export const alertOperations = (service: Service) => ({
  /** A page, the newest first. */
  list: (query: PageQuery = {}, options?: Read): Promise<AlertList & ResultPage> =>
    pageOf<AlertList>(service, "/alerts", query, options),

  /** Marks alerts as read, all of them where no ids are given. */
  read: async (body: AlertsRead = {}, options?: CallOptions): Promise<void> => {
    await service.send("/alerts/read", posted(body, options));
  },
});

import type { Feeds } from "./contract/feeds.ts";
import { type CallOptions, read, type Service } from "./request.ts";

type Read = Pick<CallOptions, "signal">;
type Json = Record<string, unknown>;

/** What the service says of itself. */
export const statusOperations = (service: Service) => ({
  /** State of every feed: `GET /feeds`. */
  feeds: (options?: Read) => read<Feeds>(service, "/feeds", options),

  /** Every limit in force. */
  limits: (options?: Read) => read<Json>(service, "/limits", options),

  /** The OpenAPI document. */
  openapi: (options?: Read) => read<Json>(service, "/openapi.json", options),

  /** Whether the process answers. */
  health: (options?: Read) => read<Json>(service, "/healthz", options),

  /** Whether all that it needs answers. @throws UnavailableError, which names what fails. */
  readiness: (options?: Read) => read<Json>(service, "/readyz", options),
});

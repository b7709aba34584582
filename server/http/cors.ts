import type { ApiRequest, Reply } from "./exchange.ts";

/** Headers of ours that a script on another origin may read. */
const exposed = [
  "RateLimit-Policy",
  "RateLimit",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Retry-After",
  "Location",
  "ETag",
  "X-Data-Provenance",
  "Link",
  "X-Request-Id",
  "X-Data-Age",
  "X-Notification",
  "Idempotent-Replayed",
].join(", ");

/** Request headers that a script on another origin may send. */
const accepted = "X-API-Key, Content-Type, Accept, Idempotency-Key, If-None-Match, X-Request-Id";

/** Any origin, and never with cookies: the key in the header is the only credential there is. */
export const corsHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposed,
} as const;

/** Answer to OPTIONS, which needs no key: browsers send none in a preflight. */
export function optionsReply(request: ApiRequest, allow: string): Reply {
  const preflight = request.header("access-control-request-method") !== undefined;
  return {
    status: 204,
    headers: preflight
      ? {
          "access-control-allow-methods": allow,
          "access-control-allow-headers": accepted,
          "access-control-max-age": "86400",
        }
      : { allow },
    body: null,
  };
}

import { toRouteHandler } from "#server/http/route-handler.ts";
import { router } from "./table.ts";

/** Every API path as a Next route handler: the same router, so that both mounts answer alike, wrong methods included. */
const handle = toRouteHandler((request) => router.answer(request));

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};

import { sharedApp } from "./next-app.ts";

/** Every API path as a Next route handler: the app's own router, so that wrong methods are answered alike too. */
async function handle(request: Request): Promise<Response> {
  return (await sharedApp()).handle(request);
}

export {
  handle as DELETE,
  handle as GET,
  handle as HEAD,
  handle as OPTIONS,
  handle as PATCH,
  handle as POST,
  handle as PUT,
};

import { countAddress, guestLimit } from "#server/http/authenticate.ts";
import { forbidden } from "#server/http/guests.ts";
import { noStore } from "#server/http/reply.ts";
import { openOperation } from "./definition.ts";

/** POST /guests/session: a session for a page whose own has ended. Pages get their first one with themselves. */
export const guestSession = {
  ...openOperation({ method: "POST", path: "/guests/session" }, async (request, context) => {
    const { guests } = context;
    const headers = await countAddress(request, context, "tasks", guestLimit(context, "tasks"));
    if (!guests?.comesFromPage(request)) throw forbidden("Only the page of this service begins a session");
    const cookie = guests.cookieFor(request);
    return {
      status: 204,
      headers: { ...headers, ...noStore, ...(cookie && { "set-cookie": cookie }) },
      body: null,
    };
  }),
  isOn: ({ guests }: { guests?: { mode: string } }) => guests?.mode === "map",
};

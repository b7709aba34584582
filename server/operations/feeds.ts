import { jsonContent, rateLimited } from "#lib/contract/openapi.ts";
import { jsonReply, noStore } from "#server/http/reply.ts";
import { openableOperation } from "./definition.ts";

/** GET /feeds: how new each feed is, what comes next, and what went wrong. */
export const feeds = openableOperation(
  {
    method: "GET",
    path: "/feeds",
    group: "tasks",
    isOpen: ({ feeds }) => feeds.open,
    docs: {
      operationId: "getFeeds",
      summary: "How the feeds are",
      description:
        "Each feed that is turned on: its newest run, how old that is, how many of its steps are here, when the next is " +
        "expected, and the newest failure in words. Where the operator sets STATUS_ACCESS=public, no key is needed.",
      replies: {
        "200": {
          description: "The feeds, in the order of the setting FEEDS",
          headers: rateLimited,
          content: jsonContent("Feeds"),
        },
      },
    },
  },
  async (_request, context) => jsonReply(200, await context.feeds.read(), noStore),
);

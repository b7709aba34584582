import { queryParameters, reply } from "#lib/contract/openapi.ts";
import { stormProviderQuery } from "#lib/contract/storms-query.ts";
import { detailReply, jsonReply, syntheticHeader } from "#server/http/reply.ts";
import { readOperation } from "./definition.ts";
import { notYetReceived, stormIdParameter } from "./storms.ts";

/** GET /storms/{id}/history: entries of the newest bulletins of a storm, the oldest first. */
export const stormHistory = readOperation(
  {
    method: "GET",
    path: "/storms/{id}/history",
    group: "storms",
    query: stormProviderQuery,
    docs: {
      operationId: "getStormHistory",
      summary: "Bulletins of a storm so far",
      description: "The entries of its newest bulletins as they were published, the oldest first.",
      parameters: [stormIdParameter, ...queryParameters(stormProviderQuery)],
      replies: {
        "200": reply("The bulletins", "StormHistory"),
        "404": reply("No such storm", "DetailError"),
        "422": reply("provider is missing or unknown", "ValidationError"),
      },
    },
  },
  async ({ query, context, request }) => {
    const published = await context.storms.published(query.provider);
    if (!published) return notYetReceived(query.provider);
    const past = await context.storms.history(query.provider, request.params.id ?? "");
    if (past.length === 0) return detailReply(404, "Storm not found");
    const results = past.map(({ issued, entry }) => ({ issued_at: issued, entry }));
    return jsonReply(
      200,
      { results },
      { "cache-control": "private, max-age=30", ...(published.synthetic && syntheticHeader) },
    );
  },
);

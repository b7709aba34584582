import { stormProviderQuery } from "#lib/contract/storms-query.ts";
import { syntheticHeader } from "#server/http/endpoint.ts";
import { detailReply, jsonReply } from "#server/http/errors.ts";
import { readEndpoint } from "./app-context.ts";
import { neverRead } from "./storms.ts";

/** GET /storms/{id}/history: entries of the newest bulletins of a storm, the oldest first. */
export const stormHistory = readEndpoint(
  { group: "storms", query: stormProviderQuery },
  async ({ query, context, request }) => {
    const published = await context.storms.published(query.provider);
    if (!published) return neverRead(query.provider);
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

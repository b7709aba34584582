import { openapiDocument } from "#lib/contract/openapi.ts";
import { openEndpoint } from "./app-context.ts";

let text: string | undefined;

/** GET /openapi.json: the contract for machines. */
export const openapi = openEndpoint((_request, context) => {
  text ??= JSON.stringify(openapiDocument(context.version));
  return {
    status: 200,
    headers: { "content-type": "application/json", "cache-control": "public, max-age=300" },
    body: text,
  };
});

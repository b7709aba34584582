import type { Json } from "#lib/contract/openapi.ts";
import { type OperationDefinition, openOperation } from "./definition.ts";

/** GET /openapi.json: the contract for machines. */
export function openapi(apiDocument: (version: string) => Json): OperationDefinition {
  let text: string | undefined;
  return openOperation(
    {
      method: "GET",
      path: "/openapi.json",
      docs: { operationId: "getOpenapi", summary: "This document" },
    },
    (_request, context) => {
      text ??= JSON.stringify(apiDocument(context.version));
      return {
        status: 200,
        headers: { "content-type": "application/json", "cache-control": "public, max-age=300" },
        body: text,
      };
    },
  );
}

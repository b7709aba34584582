import type { Json } from "#lib/contract/openapi.ts";
import { startOfDay } from "#lib/time.ts";
import { countedOperation, type OperationDefinition } from "./definition.ts";
import { type Packed, packed } from "./packed.ts";

/** GET /openapi.json: the contract for machines. */
export function openapi(apiDocument: (version: string, now: number) => Json): OperationDefinition {
  let document: Packed | undefined;
  /** Day that the examples are around, Unix seconds. */
  let madeFor: number | undefined;
  return countedOperation(
    {
      method: "GET",
      group: "tasks",
      path: "/openapi.json",
      docs: { operationId: "getOpenapi", summary: "This document" },
    },
    (request, context) => {
      const day = startOfDay(context.weather.now());
      if (!document || day !== madeFor) {
        document = packed(JSON.stringify(apiDocument(context.version, day)));
        madeFor = day;
      }
      return document.reply(request, {
        "content-type": "application/json",
        "cache-control": "public, max-age=300",
      });
    },
  );
}

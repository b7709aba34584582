import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Json } from "#lib/contract/openapi.ts";
import { startOfDay } from "#lib/time.ts";
import { type Encoding, preferredEncoding } from "#server/platform/negotiation.ts";
import { type OperationDefinition, openOperation } from "./definition.ts";

/** GET /openapi.json: the contract for machines. */
export function openapi(apiDocument: (version: string, now: number) => Json): OperationDefinition {
  let document: Record<Encoding | "identity", Uint8Array> | undefined;
  /** Day that the examples are around, Unix seconds. */
  let madeFor: number | undefined;
  return openOperation(
    {
      method: "GET",
      path: "/openapi.json",
      docs: { operationId: "getOpenapi", summary: "This document" },
    },
    (request, context) => {
      const day = startOfDay(context.weather.now());
      if (!document || day !== madeFor) {
        document = compressed(JSON.stringify(apiDocument(context.version, day)));
        madeFor = day;
      }
      const encoding = preferredEncoding(request.header("accept-encoding"));
      return {
        status: 200,
        headers: {
          "content-type": "application/json",
          "cache-control": "public, max-age=300",
          ...(encoding && { "content-encoding": encoding, vary: "Accept-Encoding" }),
        },
        body: document[encoding ?? "identity"],
      };
    },
  );
}

/** Made once a day: compressing it for each caller would take longer than most answers. */
function compressed(text: string): Record<Encoding | "identity", Uint8Array> {
  const identity = Buffer.from(text);
  const br = brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } });
  return { identity, br, gzip: gzipSync(identity) };
}

import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { Json } from "#lib/contract/openapi.ts";
import { type Encoding, preferredEncoding } from "#server/platform/negotiation.ts";
import { type OperationDefinition, openOperation } from "./definition.ts";

/** GET /openapi.json: the contract for machines. */
export function openapi(apiDocument: (version: string) => Json): OperationDefinition {
  let document: Record<Encoding | "identity", Uint8Array> | undefined;
  return openOperation(
    {
      method: "GET",
      path: "/openapi.json",
      docs: { operationId: "getOpenapi", summary: "This document" },
    },
    (request, context) => {
      document ??= compressed(JSON.stringify(apiDocument(context.version)));
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

/** Made once: compressing it for each caller would take longer than most answers. */
function compressed(text: string): Record<Encoding | "identity", Uint8Array> {
  const identity = Buffer.from(text);
  const br = brotliCompressSync(identity, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } });
  return { identity, br, gzip: gzipSync(identity) };
}

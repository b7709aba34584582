import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import type { ApiRequest, Reply } from "#server/http/api-request.ts";
import { type Encoding, preferredEncoding } from "#server/platform/negotiation.ts";

/** A text that many ask for: compressing it for each would take longer than most answers, and hold as much for each. */
export interface Packed {
  reply(request: Pick<ApiRequest, "header">, headers: Record<string, string>): Reply;
}

/** Each form is made when it is first asked for. */
export function packed(text: string): Packed {
  const forms = new Map<Encoding | undefined, Uint8Array>();
  return {
    reply(request, headers) {
      const encoding = preferredEncoding(request.header("accept-encoding"));
      const body = forms.get(encoding) ?? compressed(text, encoding);
      forms.set(encoding, body);
      return {
        status: 200,
        headers: { ...headers, vary: "Accept-Encoding", ...(encoding && { "content-encoding": encoding }) },
        body,
      };
    },
  };
}

function compressed(text: string, encoding: Encoding | undefined): Uint8Array {
  if (encoding === "gzip") return gzipSync(text);
  if (encoding === undefined) return Buffer.from(text);
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } });
}

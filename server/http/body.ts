import { BodyInterruptedError, BodyTooSlowError, detailReply, HttpError, invalidReply } from "./errors.ts";
import type { ApiRequest } from "./exchange.ts";
import { type Checked, parseJsonBody } from "./validation.ts";

const JSON_TYPE = /^application\/json(?:\s*;\s*charset\s*=\s*"?utf-?8"?)?\s*;?\s*$/i;

/**
 * Reads and checks a JSON body: 415 for another type or a compressed one, 413 beyond the limit, 422 for a wrong one.
 *
 * Throws `Refusal`, `BodyTooLargeError`.
 *
 * @returns The body as the schema gives it, and as it was sent.
 */
export async function readJson<Body>(
  request: ApiRequest,
  limitBytes: number,
  check: (input: unknown) => Checked<Body>,
): Promise<{ body: Body; bytes: Uint8Array }> {
  if (!JSON_TYPE.test(request.header("content-type") ?? "")) {
    throw new HttpError(detailReply(415, "Unsupported Media Type: send application/json in UTF-8"));
  }
  const encoding = request.header("content-encoding")?.trim().toLowerCase();
  if (encoding && encoding !== "identity") {
    throw new HttpError(
      detailReply(415, "Unsupported Media Type: send the body uncompressed", {
        "accept-encoding": "identity",
      }),
    );
  }
  const bytes = await bytesOf(request, limitBytes);
  const parsed = parseJsonBody(bytes);
  if (!parsed.ok) throw new HttpError(invalidReply(parsed.issues));
  const checked = check(parsed.value);
  if (!checked.ok) throw new HttpError(invalidReply(checked.issues));
  return { body: checked.value, bytes };
}

async function bytesOf(request: ApiRequest, limitBytes: number): Promise<Uint8Array> {
  try {
    return await request.body(limitBytes);
  } catch (error) {
    if (error instanceof BodyInterruptedError)
      throw new HttpError(detailReply(400, "The request body ended too early"));
    if (error instanceof BodyTooSlowError) {
      throw new HttpError(
        detailReply(408, "The request body took too long to arrive", { connection: "close" }),
      );
    }
    throw error;
  }
}

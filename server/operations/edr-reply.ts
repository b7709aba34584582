import type { Reply } from "#server/http/api-request.ts";
import { HttpError, jsonReply } from "#server/http/reply.ts";
import type { RoutedReply } from "#server/http/router.ts";
import { type Answer, envelopeReply } from "./answer-at-once.ts";
import type { RequestJob } from "./definition.ts";

/**
 * Runs a computation when there is room for it, and writes its answer in the format of the query. What fails is an error of
 * HTTP: EDR has no envelope.
 */
export async function edrReply<Body, Result extends Answer>(
  job: Omit<RequestJob<Body>, "bytes">,
  {
    mediaType,
    bytes,
    format,
  }: { mediaType: string; bytes: number; format: (answer: Result) => Reply["body"] },
  compute: (job: Pick<RequestJob<Body>, "signal">) => Promise<Result>,
): Promise<Reply> {
  const rules = { mediaType, bytes, hidesMeta: true, formats: { [mediaType]: format } };
  const reply = await envelopeReply({ ...job, bytes: new Uint8Array() }, rules, compute);
  if (reply.transient) {
    const { error } = JSON.parse(String(reply.body)) as { error: string };
    throw new HttpError(jsonReply(500, { detail: error }));
  }
  // A stored answer could be repeated as JSON only.
  return { ...reply, transient: true };
}

const isBelowEdr = (path: string) => /^\/edr(?:\/|$)/i.test(path);

/** Codes of errors, which say what their status says. */
const codes: Readonly<Record<number, string>> = {
  400: "BadRequest",
  401: "Unauthorized",
  403: "Forbidden",
  404: "NotFound",
  405: "MethodNotAllowed",
  413: "PayloadTooLarge",
  415: "UnsupportedMediaType",
  429: "TooManyRequests",
  503: "ServiceUnavailable",
};

/** Errors below /edr in the form of its standard: `{code, description}`; what breaks a rule is 400 there. */
export function edrErrors(path: string, reply: RoutedReply): RoutedReply {
  if (reply.status < 400 || !isBelowEdr(path)) return reply;
  const status = reply.status === 422 ? 400 : reply.status;
  const code = codes[status] ?? "ServerError";
  const body = JSON.stringify({ code, description: descriptionOf(reply) });
  return { ...reply, status, headers: { ...reply.headers, "content-type": "application/json" }, body };
}

function descriptionOf({ body }: Pick<Reply, "body">): string {
  const { detail, error } = JSON.parse(String(body)) as {
    detail?: string | { loc: (string | number)[]; msg: string }[];
    error?: string;
  };
  if (typeof detail === "string") return detail;
  if (detail)
    return detail.map(({ loc, msg }) => [loc.slice(1).join("."), msg].filter(Boolean).join(": ")).join("; ");
  return error ?? "";
}

import type { IncomingMessage, ServerResponse } from "node:http";
import type { Pages } from "./next-pages.ts";
import { strictPolicy } from "./page-headers.ts";
import { sendText, setHeaders } from "./page-replies.ts";

/** How long a request for a page waits while the pages open, milliseconds: on a busy machine that takes seconds. */
const MAX_WAIT_MS = 4000;

/** Answers a request for a page; where the pages take long to open, with 503 and words instead. */
export async function answerWhenOpen(
  opening: Promise<Pages>,
  incoming: IncomingMessage,
  response: ServerResponse,
  maxWaitMs = MAX_WAIT_MS,
): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), maxWaitMs);
  });
  const pages = await Promise.race([opening, late]).finally(() => clearTimeout(timer));
  if (pages) return pages.answer(incoming, response);
  setHeaders(response, strictPolicy);
  const headers = { "cache-control": "no-store", "retry-after": "2" };
  sendText(response, 503, "The service has just started. Please load the page again.", headers);
}

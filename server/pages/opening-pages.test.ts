import type { IncomingMessage, ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { Pages } from "./next-pages.ts";
import { answerWhenOpen } from "./opening-pages.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function request() {
  const answer = vi.fn(async () => undefined);
  const end = vi.fn();
  const writeHead = vi.fn(() => ({ end }));
  const setHeader = vi.fn();
  const response = { writeHead, setHeader } as unknown as ServerResponse;
  return {
    pages: { answer, close: async () => undefined } satisfies Pages,
    answer,
    writeHead,
    end,
    setHeader,
    response,
  };
}
const incoming = {} as IncomingMessage;

it("a page that is requested while the pages open is answered when they are open", async () => {
  const { pages, answer, writeHead, response } = request();
  const opening = new Promise<Pages>((resolve) => setTimeout(() => resolve(pages), 3000));
  const answered = answerWhenOpen(opening, incoming, response);
  await vi.advanceTimersByTimeAsync(3000);
  await answered;
  expect(answer).toHaveBeenCalledWith(incoming, response);
  expect(writeHead).not.toHaveBeenCalled();
  expect(vi.getTimerCount()).toBe(0);
});

it("where the pages take long to open, a request for one is 503 with a sentence and Retry-After", async () => {
  const { answer, writeHead, end, setHeader, response } = request();
  const answered = answerWhenOpen(new Promise<Pages>(() => {}), incoming, response);
  await vi.advanceTimersByTimeAsync(4000);
  await answered;
  expect(writeHead).toHaveBeenCalledWith(503, expect.objectContaining({ "retry-after": "2" }));
  expect(end).toHaveBeenCalledWith("The service has just started. Please load the page again.\n");
  expect(setHeader).toHaveBeenCalledWith("x-content-type-options", "nosniff");
  expect(answer).not.toHaveBeenCalled();
});

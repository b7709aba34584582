import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import type { IncomingMessage, ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import path from "node:path";
import { runInNewContext } from "node:vm";
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { languages } from "#lib/messages/language.ts";
import { fakeCaches } from "#test/fake-caches.ts";
import { answerWhenOpen, firstScripts, type Pages, serviceWorkerEnd } from "./next-pages.ts";

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

const build = mkdtempSync(path.join(tmpdir(), "first-script-"));
beforeAll(() => {
  mkdirSync(path.join(build, "first-number"));
  for (const language of languages)
    writeFileSync(path.join(build, "first-number", `${language}.js`), `"$&$1 ${language}"`);
});
afterAll(() => rmSync(build, { recursive: true }));

it("puts the script of the reader's language before all else that a head has, but for the encoding, and as it was built", () => {
  const withScript = firstScripts(build);
  const page =
    '<!DOCTYPE html><html><head><link rel="stylesheet" href="/a.css"/></head><body><head></body></html>';
  expect(withScript(page, "pt")).toBe(
    '<!DOCTYPE html><html><head><meta charset="utf-8"/><script>"$&$1 pt"</script>' +
      '<link rel="stylesheet" href="/a.css"/></head><body><head></body></html>',
  );
});

it("a build without the scripts is no build", () => {
  expect(() => firstScripts(path.join(build, "other"))).toThrow("first-number");
});

it("OFFLINE_PAGES=off takes back what browsers kept: pages of every build, and the worker; not the replies of a key", async () => {
  const caches = fakeCaches();
  for (const name of ["metocean-shell-1", "metocean-shell-2", "metocean-replies-a"]) await caches.open(name);
  const listeners = new Map<string, (event: unknown) => void>();
  const done: string[] = [];
  const self = {
    addEventListener: (type: string, listener: (event: unknown) => void) =>
      void listeners.set(type, listener),
    skipWaiting: () => done.push("at once"),
    registration: { unregister: () => done.push("unregistered") },
  };
  runInNewContext(serviceWorkerEnd, { self, caches });
  listeners.get("install")?.({});
  await new Promise<void>((end) =>
    listeners.get("activate")?.({ waitUntil: (work: Promise<void>) => void work.then(() => end()) }),
  );
  expect(done).toEqual(["at once", "unregistered"]);
  expect(await caches.keys()).toEqual(["metocean-replies-a"]);
});

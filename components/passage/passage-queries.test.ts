import { afterEach, expect, it, vi } from "vitest";
import { sendPassage } from "./passage-queries.ts";
import type { PassageBody } from "./passage-request.ts";

afterEach(() => void vi.unstubAllGlobals());

const body = { route: [], storms: "jtwc" } as unknown as PassageBody;

/** Sends a passage to a service that refuses the first request. @returns What came of it, and the bodies that were sent. */
async function send(detail: string) {
  const sent: unknown[] = [];
  vi.stubGlobal("fetch", async (_path: string, { body }: { body: string }) => {
    sent.push(JSON.parse(body));
    return sent.length > 1 ? new Response("{}") : Response.json({ detail }, { status: 503 });
  });
  const { signal } = new AbortController();
  const result = await sendPassage("/passages/evaluate", "a-key", body, signal).catch(
    (error: Error) => error,
  );
  return { result, sent };
}

it("a passage is evaluated without storms where none were ever received", async () => {
  const { result, sent } = await send("Storms of jtwc have not been received yet");
  expect(result).toMatchObject({ withStorms: false });
  expect(sent).toEqual([{ route: [], storms: "jtwc" }, { route: [] }]);
});

it("a service that is busy does not cost a passage its storms", async () => {
  const { result, sent } = await send("The service is busy. Please try again in a second.");
  expect(result).toMatchObject({ name: "ServiceError", status: 503 });
  expect(sent).toHaveLength(1);
});

import { afterEach, expect, it } from "vitest";
import { feedTexts } from "#server/demo/storms/feed.ts";
import { deriveStorms } from "./derive.ts";
import {
  DerivationFailedError,
  type StormThread,
  type StormThreadOptions,
  stormThread,
} from "./storm-thread.ts";

const now = Date.parse("2026-09-15T12:00:00Z") / 1000;
const good = feedTexts("jtwc", now, { seed: 1 });
const rest = { provider: "jtwc", previous: [], now } as const;
const text = (source: string, content: string) => ({ source, text: content, receivedAt: now });

const threads: StormThread[] = [];
afterEach(async () => {
  for (const thread of threads.splice(0)) await thread.close();
});

function open(options: StormThreadOptions): StormThread {
  const entry = new URL("../../test/processes/storm-worker.ts", import.meta.url);
  const thread = stormThread({ entry, ...options });
  threads.push(thread);
  return thread;
}

it("refuses a text that takes too long to read, by its name, and reads the others", async () => {
  const thread = open({ textMs: 1000 });
  const texts = [text("a.dat", "hang"), ...good];
  const { problems, storms } = await thread.derive({ ...rest, texts });
  expect(problems).toEqual([{ source: "a.dat", line: 0, reason: "it takes longer than 1 s to read" }]);
  expect(storms).toEqual(deriveStorms({ ...rest, texts: good }).storms);
});

it("refuses a text that ends the thread, by its name, and reads the others", async () => {
  const { problems } = await open({}).derive({ ...rest, texts: [...good, text("a.dat", "exit")] });
  expect(problems).toEqual([{ source: "a.dat", line: 0, reason: "it ends the thread that reads it" }]);
});

it("gives up a feed that takes too long as a whole, and goes on with the next", async () => {
  const thread = open({ textMs: 1000, restMs: 2500 });
  const failing = thread.derive({ ...rest, texts: [text("a.dat", "hang later")] });
  const waiting = thread.derive({ ...rest, texts: good });
  await expect(failing).rejects.toThrow(DerivationFailedError);
  expect((await waiting).problems).toEqual([]);
});

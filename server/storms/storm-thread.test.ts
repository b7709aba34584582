import { expect, it } from "vitest";
import { feedTexts } from "#server/demo/storms/feed.ts";
import { DerivationFailedError, stormThread } from "./storm-thread.ts";

const now = Date.parse("2026-09-15T12:00:00Z") / 1000;
const entry = new URL("../../test/processes/storm-worker.ts", import.meta.url);

it.each(["hang", "exit"])(
  "gives up a feed whose texts make the reader %s, and reads the next",
  async (text) => {
    const thread = stormThread({ entry, limitMs: 2500 });
    const of = { provider: "jtwc", previous: [], now } as const;
    const failing = thread.derive({ ...of, texts: [{ source: "a.dat", text, receivedAt: now }] });
    const waiting = thread.derive({ ...of, texts: feedTexts("jtwc", now, { seed: 1 }) });
    await expect(failing).rejects.toThrow(DerivationFailedError);
    expect((await waiting).problems).toEqual([]);
    await thread.close();
  },
);

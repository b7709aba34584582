import { expect, it } from "vitest";
import type { Fetcher } from "#server/platform/fetching/fetcher.ts";
import { temporaryFolder } from "#test/archive.ts";
import { nhcFeed } from "./feeds.ts";
import { lookAt } from "./live-round.ts";

it("quotes nothing of what a host sent that a page cannot show", async () => {
  const bytes = Buffer.from("[\u0001\u001b[31m\u00a0garbage");
  const fetcher: Fetcher = {
    get: async () => ({ kind: "ok", bytes, length: bytes.length }),
    close: () => {},
  };
  const now = Date.UTC(2026, 8, 1) / 1000;
  const { problem } = await lookAt(nhcFeed, {
    fetcher,
    folder: temporaryFolder(),
    now,
    signal: new AbortController().signal,
  });
  expect(problem).toMatch(/www\.nhc\.noaa\.gov sent \/CurrentStorms\.json unusable/);
  expect(problem).toMatch(/^[ -~]+$/);
});

import { expect, it } from "vitest";
import { parseShownTime } from "#components/view-state/timeline.ts";
import { en } from "#lib/messages/generated/en.ts";
import { describeOffset, linkAt } from "./share-choices.tsx";

const address = "https://example.org/?c=48.5,-5.17&t=now%2B3h&o=names#key=secret";
const time = Date.UTC(2026, 8, 16, 6) / 1000;

it("pins the time that is shown, keeps the rest of the view, and never has the key", () => {
  expect(linkAt(address, time)).toBe("https://example.org/?c=48.5,-5.17&t=2026-09-16T06:00:00Z&o=names");
});

it("moves with the clock by whole hours", () => {
  const link = new URL(linkAt(address, { afterNow: 18 * 3600 + 600 }));
  expect(parseShownTime(link.searchParams.get("t")!)).toEqual({ afterNow: 18 * 3600 });
  expect([18 * 3600, 60, -7200].map((seconds) => describeOffset(seconds, en))).toEqual([
    "Always 18 h from now",
    "Always now",
    "Always 2 h ago",
  ]);
});

import { expect, it } from "vitest";
import { jmaFeed, type LiveRound } from "./feeds.ts";

const now = Date.UTC(2026, 8, 15, 16) / 1000;
const DATA = "https://www.data.jma.go.jp/developer/xml/data";

const entry = (name: string, updated: string) =>
  `<entry><id>x</id><updated>${updated}</updated><link type="application/xml" href="${DATA}/${name}.xml"/></entry>`;

/** The telegrams that are asked for where the typhoon data cannot be had. */
async function telegramsOf(entries: string): Promise<string[]> {
  const asked: string[] = [];
  const round: LiveRound = {
    now,
    text: async ({ urls }) => {
      asked.push(...urls);
      return { text: undefined, isOk: false };
    },
    page: async (_place, isWhole) => {
      const text = `<feed xmlns="http://www.w3.org/2005/Atom">${entries}</feed>\n`;
      return { text, isOk: isWhole(text) };
    },
    lacks: () => {},
    remove: async () => {},
    files: async () => [],
  };
  await jmaFeed.collect(round);
  return asked.filter((url) => url.startsWith(DATA)).map((url) => url.slice(DATA.length + 1));
}

it("asks for the typhoon telegrams of the last day and for no other: the feed lists a week, and all kinds", async () => {
  const asked = await telegramsOf(
    [
      entry("20260915150000_0_VPTW60_010000", "2026-09-15T15:00:00Z"),
      // A day ago to the second, by the clock of Japan.
      entry("20260914160000_0_VPTW61_010000", "2026-09-15T01:00:00+09:00"),
      entry("20260914155959_0_VPTW62_010000", "2026-09-14T15:59:59Z"),
      entry("20260908150000_0_VPTW60_010000", "2026-09-08T15:00:00Z"),
      entry("20260915150000_0_VPZU50_010000", "2026-09-15T15:00:00Z"),
      entry("20260915150000_0_VPTW63_010000", "yesterday"),
    ].join(""),
  );
  expect(asked).toEqual(["20260915150000_0_VPTW60_010000.xml", "20260914160000_0_VPTW61_010000.xml"]);
});

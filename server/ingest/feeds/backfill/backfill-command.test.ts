import { join } from "node:path";
import { expect, it } from "vitest";
import { DAY_S } from "#lib/time.ts";
import { folderArchive } from "#server/archive/run-archive.ts";
import {
  type FeedLoop,
  type FeedsCommandDeps,
  isRoundRunning,
  leadBackfill,
  markRounds,
} from "#server/ingest/feeds/feed-deps.ts";
import { feedsCommand } from "#server/ingest/feeds/feeds-command.ts";
import { selectFeeds } from "#server/ingest/feeds/plan-feeds.ts";
import { fieldFeeds } from "#server/ingest/publishers/registry.ts";
import { openDatabase } from "#server/platform/db.ts";
import { createLogger } from "#server/platform/log.ts";
import { temporaryFolder } from "#test/archive.ts";
import { describeWithDatabase } from "#test/databases.ts";

const now = Date.UTC(2026, 8, 1, 12) / 1000;

/** Runs the command without a database. */
async function command(
  line: string,
  changes: Partial<FeedsCommandDeps> = {},
  bytesADay = Number.POSITIVE_INFINITY,
) {
  const root = temporaryFolder();
  let out = "";
  let err = "";
  const keep = { cycles: undefined, archive: undefined, recent: 90 * DAY_S, years: undefined };
  const deps: FeedsCommandDeps = {
    env: {
      feeds: {
        enabled: "lite",
        folder: join(root, "feeds"),
        sources: join(root, "sources"),
        mirror: undefined,
        contact: undefined,
        bytesADay,
        diskBytes: undefined,
        keep,
      },
      storage: { minFreeBytes: 0, bytes: 0, bytesOfOwner: 0 },
    },
    selected: selectFeeds("lite,gfs", fieldFeeds, []),
    known: fieldFeeds,
    storms: ["jtwc"],
    openStorms: () => {
      throw new Error("not asked for");
    },
    version: "0",
    open: () => Promise.reject(new Error("opened")),
    openArchive: async () => folderArchive(join(root, "archive")),
    out: { write: (text) => (out += text) },
    err: { write: (text) => (err += text) },
    log: createLogger("silent", [], { write: () => {} }),
    clock: { now: () => now },
    signal: new AbortController().signal,
    ...changes,
  };
  const code = await feedsCommand(["backfill", ...line.split(" ").filter(Boolean)], deps).catch(
    (error: Error) => error.message,
  );
  return { code, out, err };
}

it("prints the cost first, and opens nothing before it is confirmed", async () => {
  const questions: string[] = [];
  const no = await command("gfs --from 2026-08-01 --to 2026-08-10", {
    ask: async (question) => {
      questions.push(question);
      return false;
    },
  });
  expect(no).toMatchObject({ code: 0, err: "" });
  expect(questions).toEqual(["Go on?"]);
  expect(no.out).toContain("Back-fill of gfs, 2026-08-01 to 2026-08-10, profile lite, about:");
  expect(no.out).toMatch(/Hindcast-3M +10 days +2026-08-01 to 2026-08-10 +0 +\d+\.\d MB/);
  expect(no.out).toMatch(
    /Together \d+\.\d MB to fetch: 2 min at 20 Mbit\/s, and .* min of one processor\. On disk/,
  );
  expect(await command("gfs --from 2026-08-01 --to 2026-08-10")).toMatchObject({
    code: 2,
    err: "Add --yes to start without asking.\n",
  });
  expect((await command("gfs --from 2026-08-01 --yes")).code).toBe("opened");
  expect((await command("gfs --from 2026-08-01", { ask: async () => true })).code).toBe("opened");
});

it("leaves to the feeds of FEEDS the bytes that they need a day", async () => {
  const days = await command("gfs --from 2026-08-01 --to 2026-08-10", { ask: async () => false }, 1e9);
  expect(days.out).toMatch(/FEED_BYTES_A_DAY leaves \d+\.\d MB a day for it: \d+ days\./);
  const none = await command("gfs --from 2026-08-01 --to 2026-08-10 --yes", {}, 1e6);
  expect(none.code).toBe(1);
  expect(none.err).toMatch(
    /FEED_BYTES_A_DAY is 1\.0 MB, and the feeds of FEEDS need .* a day: nothing is left for a back-fill/,
  );
});

it.each([
  ["", "Which feed? One of gfs,"],
  ["jtwc --from 2026-08-01", 'There is no feed of fields "jtwc"'],
  ["gfs", "--from is required; --from and --to are days, such as 2026-08-01."],
  ["gfs --from 2026-13-01", "--from and --to are days, such as"],
  ["gfs --from 2026-08-03 --to 2026-08-01", "--from is after --to."],
  ["gfs --from 2026-08-03 --until 2026-08-01", "There is no option --until."],
  ["etopo --from 2026-08-03", "etopo does not change with time"],
])("refuses 'feeds backfill %s' with a sentence", async (line, words) => {
  const { code, err } = await command(line);
  expect(code).toBe(2);
  expect(err).toContain(words);
});

it("says so where there is nothing to fetch", async () => {
  const { code, out } = await command("gfs --from 2015-08-01 --to 2015-08-02 --yes");
  expect(code).toBe(0);
  expect(out).toContain("Left out: before 2021-03-23: no mirror of gfs has it.");
  expect(out).toContain("There is nothing to fetch.");
});

describeWithDatabase("a back-fill", (fresh) => {
  it("notices a round of the loop in another process, which never waits for it, and a second back-fill does not begin beside it", async () => {
    const place = await fresh();
    const server = await openDatabase(place);
    const command = await openDatabase(place);
    try {
      expect(await isRoundRunning(command)).toBe(false);
      const during: boolean[] = [];
      const look = async () => during.push(await isRoundRunning(command));
      const { signal } = new AbortController();
      // The rounds of two loops overlap, and one of them ends before the other.
      const [outer, inner]: FeedLoop[] = markRounds(server, [
        { round: async () => inner!.round(signal).then(look) },
        { round: look },
      ]);
      await outer!.round(signal);
      expect(during).toEqual([true, true]);
      expect(await isRoundRunning(command)).toBe(false);
      const lead = await leadBackfill(command);
      expect(await leadBackfill(server)).toBeUndefined();
      await lead!.close();
    } finally {
      await server.close();
      await command.close();
    }
  });
});

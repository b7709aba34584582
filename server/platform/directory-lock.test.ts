import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { kill } from "#test/chaos/kill.ts";
import { temporaryFolders } from "#test/databases.ts";
import { spawnScripts } from "#test/processes.ts";
import { DirectoryLockedError, findHolder, lockDirectory } from "./directory-lock.ts";

const LOCK_PROCESS = "test/processes/lock.ts";

const claim = { role: "server", command: "the tests" } as const;

describe("the lock of a directory", () => {
  const folder = temporaryFolders();
  const start = spawnScripts();
  const directory = () => path.join(folder(), "db");

  it("refuses a second process and names the holder", async () => {
    const place = directory();
    const { child, said } = await start(LOCK_PROCESS, place);
    expect(said).toBe("held");
    const refused = catchLocked(() => lockDirectory(place, claim));
    expect(refused.holder).toMatchObject({ pid: child.pid, command: "lock-process", role: "server" });
    expect(refused.message).toContain(`process ${child.pid}`);
    expect(refused.message).toContain("lock-process");
  });

  it("refuses this process too, until it lets go", () => {
    const place = directory();
    const first = lockDirectory(place, claim);
    expect(() => lockDirectory(place, claim)).toThrow(DirectoryLockedError);
    first.release();
    expect(findHolder(place)).toBeUndefined();
    lockDirectory(place, claim).release();
  });

  it("does not outlive a holder that was killed", async () => {
    const place = directory();
    const { child } = await start(LOCK_PROCESS, place);
    await kill(child);
    expect(findHolder(place)).toBeUndefined();
    lockDirectory(place, claim).release();
  });

  it("is not kept by a later process that was given the dead one's number", () => {
    const place = directory();
    const dead = lockDirectory(place, claim);
    rewrite(place, (holder) => ({ ...holder, started: "long ago" }));
    lockDirectory(place, claim).release();
    dead.release();
    expect(readdirSync(`${place}.lock`)).toEqual(["2"]);
  });

  it("is taken over by exactly one of several that come at once", { timeout: 120_000 }, async () => {
    const place = directory();
    for (let round = 0; round < 3; round++) {
      const comers = await Promise.all(Array.from({ length: 4 }, () => start(LOCK_PROCESS, place)));
      const said = comers.map((comer) => comer.said).sort();
      expect(said).toEqual(["DirectoryLockedError", "DirectoryLockedError", "DirectoryLockedError", "held"]);
      // The next round begins with a dead holder.
      for (const { child } of comers) await kill(child);
    }
    expect(readdirSync(`${place}.lock`)).toEqual(["3"]);
  });

  it("of another machine counts as long as its heart beats", () => {
    const place = directory();
    const lock = lockDirectory(place, claim);
    const file = rewrite(place, (holder) => ({ ...holder, host: "elsewhere", pid: 1 }));
    expect(catchLocked(() => lockDirectory(place, claim)).message).toContain("elsewhere");
    const past = statSync(file).mtimeMs / 1000 - 60;
    utimesSync(file, past, past);
    lockDirectory(place, claim).release();
    lock.release();
  });

  it("says which file is damaged", () => {
    const place = directory();
    lockDirectory(place, claim).release();
    writeFileSync(newestClaim(place), "{");
    expect(() => lockDirectory(place, claim)).toThrow(newestClaim(place));
  });
});

function catchLocked(action: () => unknown): DirectoryLockedError {
  try {
    action();
  } catch (error) {
    if (error instanceof DirectoryLockedError) return error;
    throw error;
  }
  throw new Error("was not refused");
}

function newestClaim(place: string): string {
  const names = readdirSync(`${place}.lock`).sort((a, b) => Number(b) - Number(a));
  return path.join(`${place}.lock`, names[0]!);
}

/** Changes what the newest claim says of its holder. @returns Its file. */
function rewrite(place: string, change: (holder: object) => object): string {
  const file = newestClaim(place);
  writeFileSync(file, JSON.stringify(change(JSON.parse(readFileSync(file, "utf8")))));
  return file;
}

import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync, utimesSync, writeFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { kill } from "#test/chaos/kill.ts";
import { temporaryFolders } from "#test/databases.ts";
import { spawnScripts } from "#test/processes.ts";
import { acquireLock, LockedError } from "./lock.ts";
import { processStart } from "./process-identity.ts";

const LOCK_PROCESS = "test/processes/lock.ts";

const silenceMs = 15_000;

describe("a lock", () => {
  const folder = temporaryFolders();
  const start = spawnScripts();
  const fresh = () => path.join(folder(), "lock");

  it("refuses a second process and names the holder", async () => {
    const file = fresh();
    const { child, firstLine } = await start(LOCK_PROCESS, file);
    expect(firstLine).toBe("locked");
    await expect(acquireLock(file, { silenceMs })).rejects.toThrow(LockedError);
    await expect(acquireLock(file, { silenceMs })).rejects.toThrow(`process ${child.pid} on`);
  });

  it("can be waited for, and the wait can be aborted", async () => {
    const file = fresh();
    const first = await acquireLock(file, { silenceMs });
    const waiting = acquireLock(file, { silenceMs, wait: true });
    const signal = AbortSignal.timeout(50);
    await expect(acquireLock(file, { silenceMs, wait: true, signal })).rejects.toThrow();
    await first.release();
    await (await waiting).release();
    expect(readdirSync(path.dirname(file))).toEqual([]);
  });

  it("does not outlive a holder that was killed", async () => {
    const file = fresh();
    const { child } = await start(LOCK_PROCESS, file);
    await kill(child);
    await (await acquireLock(file, { silenceMs })).release();
  });

  it("leaves no claim of a process that was killed before it wrote its claim", async () => {
    const file = fresh();
    const { child } = await start(LOCK_PROCESS, file);
    const { token } = JSON.parse(readFileSync(file, "utf8"));
    await kill(child);
    writeFileSync(`${file}.${token}`, "");
    await (await acquireLock(file, { silenceMs })).release();
    expect(readdirSync(path.dirname(file))).toEqual([]);
  });

  it("is not held by a later process that has the dead holder's number", async () => {
    const file = fresh();
    const dead = await acquireLock(file, { silenceMs });
    rewrite(file, { started: "1" });
    const lock = await acquireLock(file, { silenceMs });
    await dead.release();
    await lock.verify();
    await lock.release();
  });

  it("is taken over by exactly one of several processes that find a dead holder", {
    timeout: 120_000,
  }, async () => {
    const file = fresh();
    for (let round = 0; round < 3; round++) {
      const processes = await Promise.all(Array.from({ length: 4 }, () => start(LOCK_PROCESS, file)));
      const firstLine = processes.map((each) => each.firstLine).sort();
      expect(firstLine).toEqual(["LockedError", "LockedError", "LockedError", "locked"]);
      for (const { child } of processes) await kill(child);
    }
    expect(readdirSync(path.dirname(file))).toEqual(["lock"]);
  });

  it.each([
    ["another container with the same host name", { space: "another", pid: 4_194_305 }],
    ["another machine", { space: "another", host: "elsewhere", pid: 1 }],
  ])("of %s is judged by its heartbeat and not by the processes of this machine", async (_, holder) => {
    const file = fresh();
    const lock = await acquireLock(file, { silenceMs });
    rewrite(file, holder);
    await expect(acquireLock(file, { silenceMs })).rejects.toThrow(LockedError);
    age(file, 60);
    await (await acquireLock(file, { silenceMs })).release();
    await lock.release();
  });

  it.each(["", "{", '{"token":"x"}'])(
    "whose file was damaged by a loss of power (%j) counts until it is old, and is then replaced",
    async (content) => {
      const file = fresh();
      writeFileSync(file, content);
      await expect(acquireLock(file, { silenceMs })).rejects.toThrow(LockedError);
      age(file, 60);
      await (await acquireLock(file, { silenceMs })).release();
    },
  );

  it("reports to its holder that another process has taken over", async () => {
    const file = fresh();
    const lock = await acquireLock(file, { silenceMs });
    await lock.verify();
    rewrite(file, { token: "another", pid: 7, host: "elsewhere" });
    await expect(lock.verify()).rejects.toThrow("process 7 on elsewhere");
    await lock.release();
    expect(readFileSync(file, "utf8")).toContain("another");
  });
});

describe("the identity of a process", () => {
  it("has a start time while the process exists, and none afterwards", () => {
    expect(processStart(process.pid)).toBe(processStart(process.pid));
    const { pid } = spawnSync(process.execPath, ["--version"]);
    expect(processStart(pid)).toBeUndefined();
  });
});

function rewrite(file: string, change: object): void {
  writeFileSync(file, JSON.stringify({ ...JSON.parse(readFileSync(file, "utf8")), ...change }));
}

function age(file: string, seconds: number): void {
  const then = statSync(file).mtimeMs / 1000 - seconds;
  utimesSync(file, then, then);
}

import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, chownSync, readFileSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { text } from "node:stream/consumers";
import { describe, expect, it, onTestFinished } from "vitest";
import { kill } from "#test/chaos/kill.ts";
import { migratedDataDirs, temporaryFolders } from "#test/databases.ts";
import { metocean } from "#test/processes.ts";
import { openDatabase } from "./db.ts";

const DATABASE_PROCESS = "test/processes/database.ts";

const isRoot = process.getuid?.() === 0;

/** Whether another user can run what lies in this checkout. */
const isOpenToOthers = isRoot && spawnSync(process.execPath, ["--version"], { uid: 1, gid: 1 }).status === 0;

describe.runIf(isRoot)("the embedded PostgreSQL of a service that runs as root", { timeout: 120_000 }, () => {
  const folder = temporaryFolders();
  const migrated = migratedDataDirs();

  async function write(dataDir: string): Promise<void> {
    const { prisma, close } = await openDatabase({ dataDir });
    onTestFinished(() => close());
    await prisma.setting.create({ data: { name: "kept", value: "" } });
  }

  it("has root's files, in a folder that is closed to others, and nobody else connects to it in an open one", async () => {
    const dataDir = folder();
    const socket = path.join(dataDir, "postgres/.s.PGSQL.5432");
    expect(statSync(dataDir).mode & 0o777).toBe(0o700);
    await write(dataDir);
    for (const file of [`/proc/${postmaster(dataDir)}`, socket, path.join(dataDir, "postgres/PG_VERSION")])
      expect(statSync(file).uid, file).toBe(0);
    expect(await connectAs(0, socket)).toBe("connected");
    chmodSync(dataDir, 0o755);
    expect(statSync(path.dirname(socket)).mode & 0o777).toBe(0o700);
    for (const uid of [1, 65_534]) expect(await connectAs(uid, socket)).toBe("EACCES");
  });

  it("takes its files over from the user that they belonged to", async () => {
    const { dataDir } = await migrated();
    execFileSync("chown", ["-R", "65534:65534", path.join(dataDir, "postgres")]);
    await write(dataDir);
    expect(statSync(path.join(dataDir, "postgres/PG_VERSION")).uid).toBe(0);
  });

  it.each([
    ["is missing", undefined, "unshare ENOENT"],
    ["is refused", "echo unshare failed: Operation not permitted >&2; exit 1", "Operation not permitted"],
    ["has no namespace left", "echo unshare failed: No space left on device >&2; exit 1", "No space left"],
  ])("says what to do where unshare %s", async (_, script, reason) => {
    const [dataDir, PATH] = [(await migrated()).dataDir, folder()];
    if (script) writeFileSync(path.join(PATH, "unshare"), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    const { status, stderr } = await metocean(["keys", "list"], { DATA_DIR: dataDir, PATH });
    expect(status).toBe(78);
    expect(stderr).toContain(reason);
    expect(stderr).toContain("run the service as an ordinary user who owns DATA_DIR, or set DATABASE_URL");
  });

  it.runIf(isOpenToOthers)(
    "runs as the user of the service when that is not root, and is closed to other users",
    async () => {
      const dataDir = folder();
      const user = { uid: 1, gid: 1 };
      chownSync(dataDir, user.uid, user.gid);
      const child = spawn(process.execPath, [DATABASE_PROCESS, dataDir], {
        ...user,
        stdio: ["ignore", "pipe", "inherit"],
      });
      onTestFinished(() => kill(child));
      expect(String((await once(child.stdout!, "data"))[0])).toBe("open\n");
      expect(statSync(`/proc/${postmaster(dataDir)}`).uid).toBe(user.uid);
      // A command that runs as root uses the same server.
      await write(dataDir);
      chmodSync(dataDir, 0o755);
      const other = spawn(process.execPath, [DATABASE_PROCESS, dataDir], {
        uid: 65_534,
        gid: 65_534,
        stdio: ["ignore", "ignore", "pipe"],
      });
      const [message] = await Promise.all([text(other.stderr!), once(other, "exit")]);
      expect(message).toContain("belongs to another user");
    },
  );
});

function postmaster(dataDir: string): number {
  return Number.parseInt(readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8"), 10);
}

/** Connects to a socket as another user, who need not have access to the checkout. @returns "connected", or the code of the error. */
async function connectAs(uid: number, socket: string): Promise<string> {
  const script = `process.setgroups([]); process.setgid(${uid}); process.setuid(${uid});
    require("node:net").connect(process.argv[1], () => { console.log("connected"); process.exit(); })
      .on("error", ({ code }) => console.log(code));`;
  const child = spawn(process.execPath, ["-e", script, socket], { stdio: ["ignore", "pipe", "inherit"] });
  return (await text(child.stdout)).trim();
}

import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { text } from "node:stream/consumers";
import { Client } from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import { kill } from "#test/chaos/kill.ts";
import { migratedDataDirs, temporaryFolders } from "#test/databases.ts";
import { spawnScripts } from "#test/processes.ts";
import { until } from "#test/until.ts";
import { type Database, openDatabase } from "./db.ts";
import { openEmbeddedPostgres } from "./embedded-postgres.ts";
import { processStart } from "./process-identity.ts";

const DATABASE_PROCESS = "test/processes/database.ts";

const isRoot = process.getuid?.() === 0;

/** Whether another user can execute files of this checkout. */
const isOpenToOthers = isRoot && spawnSync(process.execPath, ["--version"], { uid: 1, gid: 1 }).status === 0;

describe("the embedded PostgreSQL", { timeout: 120_000 }, () => {
  const start = spawnScripts();
  const folder = temporaryFolders();
  const migrated = migratedDataDirs();

  async function open(dataDir: string): Promise<Database> {
    const database = await openDatabase({ dataDir });
    onTestFinished(() => database.close());
    return database;
  }

  it("is created at the first start, private and complete, in a folder of any name, and found again at the second start", async () => {
    const dataDir = path.join(folder(), "with spaces and 'quotes'", "größe Ωμέγα", "deep".repeat(30));
    // A process that was killed while it created the files left this draft.
    mkdirSync(path.join(dataDir, "postgres.new-abc/base"), { recursive: true });
    vi.stubEnv("KEY_PEPPER", "a secret of the service");
    const first = await openDatabase({ dataDir });
    await write(first, "kept");
    expect(statSync(path.join(dataDir, "postgres")).mode & 0o777).toBe(0o700);
    expect(readdirSync(dataDir).sort()).toEqual(["postgres", "postgres.lock", "postgres.log"]);
    // The server commits durably and does not inherit the service's environment.
    const rows = await first.prisma.$queryRaw`
      select name, setting from pg_settings
      where name in ('autovacuum', 'fsync', 'synchronous_commit', 'full_page_writes', 'listen_addresses') order by name`;
    expect(rows).toEqual([
      { name: "autovacuum", setting: "on" },
      { name: "fsync", setting: "on" },
      { name: "full_page_writes", setting: "on" },
      { name: "listen_addresses", setting: "" },
      { name: "synchronous_commit", setting: "on" },
    ]);
    if (process.platform === "linux") {
      expect(readFileSync(`/proc/${postmaster(dataDir)}/environ`, "utf8")).not.toContain("secret");
      // The server has a session of its own, so Ctrl-C in the terminal does not reach it.
      const sessionOf = (pid: number) =>
        readFileSync(`/proc/${pid}/stat`, "utf8").replace(/.*\) /, "").split(" ")[3];
      expect(sessionOf(postmaster(dataDir))).not.toBe(sessionOf(process.pid));
    }
    await first.close();
    expect(readdirSync(dataDir).sort()).toEqual(["postgres", "postgres.log"]);
    expect(await names(await open(dataDir))).toEqual(["kept"]);
  });

  it("serves several processes, and stops with the last one", async () => {
    const { dataDir } = await migrated();
    const { child } = await start(DATABASE_PROCESS, dataDir);
    const pid = postmaster(dataDir);
    const second = await openDatabase({ dataDir });
    child.kill("SIGTERM");
    await once(child, "exit");
    await write(second, "after the first process ended");
    expect(postmaster(dataDir)).toBe(pid);
    await second.close();
    expect(existsSync(path.join(dataDir, "postgres/postmaster.pid"))).toBe(false);
    await until(() => processStart(pid) === undefined);
  });

  it("is created and started once by processes that start together", async () => {
    const dataDir = folder();
    const processes = await Promise.all([1, 2, 3].map(() => start(DATABASE_PROCESS, dataDir)));
    expect(processes.map(({ firstLine }) => firstLine)).toEqual(["open", "open", "open"]);
    expect(readFileSync(path.join(dataDir, "postgres.log"), "utf8").match(/ready to accept/g)).toHaveLength(
      1,
    );
  });

  it("outlives a user that was killed while another one uses it, and stops by itself after its last user was killed", async () => {
    const { dataDir } = await migrated();
    const first = await start(DATABASE_PROCESS, dataDir);
    const last = await start(DATABASE_PROCESS, dataDir);
    const pid = postmaster(dataDir);
    await kill(first.child);
    const database = await openDatabase({ dataDir });
    await database.close();
    expect(postmaster(dataDir)).toBe(pid);
    await kill(last.child);
    await until(() => processStart(pid) === undefined);
    expect(readFileSync(path.join(dataDir, "postgres.log"), "utf8")).toContain(
      "database system is shut down",
    );
  });

  it("is started again while a process uses it, after it was killed, and has all that was committed", async () => {
    const { dataDir } = await migrated();
    const database = await open(dataDir);
    await write(database, "committed");
    const pid = postmaster(dataDir);
    process.kill(pid, "SIGKILL");
    // A session of the killed server may still answer one query.
    await until(
      () => existsSync(path.join(dataDir, "postgres/postmaster.pid")) && postmaster(dataDir) !== pid,
    );
    await until(async () => (await names(database).catch((): string[] => [])).includes("committed"));
    expect(postmaster(dataDir)).not.toBe(pid);
    await database.close();
    expect(existsSync(path.join(dataDir, "postgres/postmaster.pid"))).toBe(false);
  });

  it.runIf(process.platform === "linux")(
    "starts at once where its lock files name another process, as after a loss of power",
    async () => {
      const { dataDir } = await migrated();
      recordServer(dataDir, tmpdir());
      await write(await open(dataDir), "next");
    },
  );

  it("is created from scratch where a process was killed while it created it", async () => {
    const dataDir = folder();
    const child = spawn(process.execPath, [DATABASE_PROCESS, dataDir], { stdio: "inherit" });
    await until(() => readdirSync(dataDir).some((name) => name.startsWith("postgres.new-")));
    await kill(child);
    const database = await open(dataDir);
    expect(await names(database)).toEqual([]);
    expect(readdirSync(dataDir).filter((name) => name.startsWith("postgres.new-"))).toEqual([]);
  });

  it.each([
    ["empty", "", 60],
    ["empty just now, as if another process wrote them", "", 0],
  ])("starts after a loss of power that left its lock files %s", async (_, content, age) => {
    const { dataDir } = await migrated();
    for (const name of ["postmaster.pid", ".s.PGSQL.5432.lock"]) {
      const file = path.join(dataDir, "postgres", name);
      writeFileSync(file, content);
      const modified = statSync(file).mtimeMs / 1000 - age;
      utimesSync(file, modified, modified);
    }
    expect(await names(await open(dataDir))).toEqual([]);
  });

  it("says why it does not start", async () => {
    const { dataDir } = await migrated();
    writeFileSync(path.join(dataDir, "postgres/postgresql.conf"), "nonsense = 1\n");
    await expect(openDatabase({ dataDir })).rejects.toThrow(
      /unrecognized configuration parameter "nonsense"/,
    );
  });

  it("asks for a password where it listens on the loopback interface", async () => {
    const dataDir = folder();
    const { connection, close } = await openEmbeddedPostgres(dataDir, { loopback: true });
    onTestFinished(close);
    expect(connection.host).toBe("127.0.0.1");
    expect(statSync(path.join(dataDir, "postgres-password")).mode & 0o777).toBe(0o600);
    const connect = async (password: string) => {
      const client = new Client({ ...connection, password });
      await client.connect();
      await client.end();
    };
    await connect(connection.password as string);
    await expect(connect("another")).rejects.toThrow("password authentication failed");
  });

  describe.runIf(isRoot)("of a service that runs as root", () => {
    it("has root's files, in a folder that is closed to others, and nobody else connects to it in an open one", async () => {
      const { dataDir } = await migrated();
      const socket = path.join(dataDir, "postgres/.s.PGSQL.5432");
      expect(statSync(dataDir).mode & 0o777).toBe(0o700);
      await write(await open(dataDir), "kept");
      for (const file of [`/proc/${postmaster(dataDir)}`, socket, path.join(dataDir, "postgres/PG_VERSION")])
        expect(statSync(file).uid, file).toBe(0);
      expect(await connectAs(0, socket)).toBe("connected");
      chmodSync(dataDir, 0o755);
      expect(statSync(path.dirname(socket)).mode & 0o777).toBe(0o700);
      for (const uid of [1, 65_534]) expect(await connectAs(uid, socket)).toBe("EACCES");
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
        await write(await open(dataDir), "kept");
        chmodSync(dataDir, 0o755);
        const other = spawn(process.execPath, [DATABASE_PROCESS, dataDir], {
          uid: 65_534,
          gid: 65_534,
          stdio: ["ignore", "ignore", "pipe"],
        });
        const [message] = await Promise.all([text(other.stderr!), once(other, "exit")]);
        expect(message).toContain("belongs to user");
      },
    );
  });
});

async function write({ prisma }: Database, name: string): Promise<void> {
  await prisma.setting.create({ data: { name, value: "" } });
}

async function names({ prisma }: Database): Promise<string[]> {
  return (await prisma.setting.findMany()).map(({ name }) => name);
}

function postmaster(dataDir: string): number {
  return Number.parseInt(readFileSync(path.join(dataDir, "postgres/postmaster.pid"), "utf8"), 10);
}

/** Starts a process of the same user in a folder and records its number as the server's. */
function recordServer(dataDir: string, cwd: string): void {
  const other = spawn("sleep", ["600"], { cwd });
  onTestFinished(() => kill(other));
  for (const name of ["postmaster.pid", ".s.PGSQL.5432.lock"])
    writeFileSync(path.join(dataDir, "postgres", name), `${other.pid}\n`);
}

/**
 * Connects to a socket as another user, who may have no access to the checkout. @returns "connected", or the error
 * code.
 */
async function connectAs(uid: number, socket: string): Promise<string> {
  const script = `process.setgroups([]); process.setgid(${uid}); process.setuid(${uid});
    require("node:net").connect(process.argv[1], () => { console.log("connected"); process.exit(); })
      .on("error", ({ code }) => console.log(code));`;
  const child = spawn(process.execPath, ["-e", script, socket], { stdio: ["ignore", "pipe", "inherit"] });
  return (await text(child.stdout)).trim();
}

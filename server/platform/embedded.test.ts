import { spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { kill } from "#test/chaos/kill.ts";
import { emptyEmbedded } from "#test/databases.ts";
import { metocean, spawnScripts } from "#test/processes.ts";
import { openDatabase } from "./db.ts";
import { DirectoryLockedError } from "./directory-lock.ts";

const DATABASE_PROCESS = "test/processes/database.ts";

const fresh = emptyEmbedded();

describe("the embedded database", () => {
  const start = spawnScripts();

  it("serves the commands while the server has it, and after the server was killed", {
    timeout: 240_000,
  }, async () => {
    const { dataDir } = await fresh();
    const env = { DATA_DIR: dataDir };
    const { child } = await start(DATABASE_PROCESS, dataDir);

    const created = await metocean(["keys", "create", "--owner", "Ann", "--limit", "5 per minute"], env);
    expect(created).toMatchObject({ status: 0, stderr: "" });
    const [, prefix] = /^mo_([0-9A-Za-z]{8})_[0-9A-Za-z]{33}$/m.exec(created.stdout)!;
    const listed = await metocean(["keys", "list"], env);
    expect(listed.stdout).toMatch(new RegExp(`${prefix} +Ann +- +5 per 1 minute +\\S+ +valid`));
    const examined = await metocean(["doctor"], env);
    expect(examined.stdout).toContain(`process ${child.pid}`);
    expect(examined.stdout).toContain("through the server, 1 key");
    expect(statSync(path.join(dataDir, "socket")).mode & 0o777).toBe(0o700);

    await expect(openDatabase({ dataDir })).rejects.toThrow(DirectoryLockedError);

    await kill(child);
    expect((await metocean(["keys", "revoke", prefix!], env)).status).toBe(0);
    expect((await metocean(["keys", "list"], env)).stdout).toMatch(/Ann .* revoked/);
    expect((await metocean(["doctor"], env)).stdout).toMatch(/Held by +nobody[\s\S]*embedded, 1 key/);
  });

  it("is made anew where its process was killed while it was made", { timeout: 60_000 }, async () => {
    const dataDir = mkdtempSync(path.join(tmpdir(), "metocean-"));
    const files = path.join(dataDir, "db");
    const child = spawn(process.execPath, [DATABASE_PROCESS, dataDir], { stdio: "inherit" });
    await until(() => existsSync(path.join(files, "base")));
    await kill(child);
    // What PostgreSQL knows a database by may be written before what it needs.
    writeFileSync(path.join(files, "PG_VERSION"), "18\n");
    rmSync(path.join(files, "global"), { recursive: true, force: true });

    const database = await openDatabase({ dataDir });
    expect(await database.prisma.setting.count()).toBe(0);
    await database.prisma.setting.create({ data: { name: "kept", value: "" } });
    await database.close();
    const again = await openDatabase({ dataDir });
    expect(await again.prisma.setting.count()).toBe(1);
    await again.close();
    rmSync(dataDir, { recursive: true });
  });

  it("has its socket elsewhere where the path would be too long for one", async () => {
    const { dataDir } = await fresh();
    const deep = path.join(dataDir, "deep".repeat(20), "deeper".repeat(10));
    mkdirSync(deep, { recursive: true });
    const server = await openDatabase({ dataDir: deep });
    const command = await openDatabase({ dataDir: deep }, "command");
    expect(command.kind).toBe("through the server");
    await command.ping();
    await command.close();
    await server.close();
  });

  it("keeps clients and its own process out of each other's transactions", async () => {
    const { dataDir } = await fresh();
    const server = await openDatabase({ dataDir });
    const command = await openDatabase({ dataDir }, "command");
    const write = (prisma: typeof server.prisma, name: string) =>
      prisma.setting.create({ data: { name, value: "" } });
    let own: Promise<unknown> | undefined;
    const failing = command.prisma.$transaction(async (transaction) => {
      await transaction.setting.create({ data: { name: "client", value: "" } });
      // Must wait for the client's turn to end; otherwise the rollback would take it along.
      own = write(server.prisma, "server");
      await transaction.setting.count();
      throw new Error("rolled back");
    });
    await expect(failing).rejects.toThrow("rolled back");
    await own;
    await Promise.all(
      Array.from({ length: 40 }, (_, i) => write((i % 2 ? server : command).prisma, `both ${i}`)),
    );
    const names = (await server.prisma.setting.findMany()).map(({ name }) => name);
    expect(names).not.toContain("client");
    expect(names).toContain("server");
    expect(names).toHaveLength(41);
    await command.close();
    await server.close();
  });

  it("takes back what a client leaves open when it goes", async () => {
    const { dataDir } = await fresh();
    const server = await openDatabase({ dataDir });
    const command = await openDatabase({ dataDir }, "command");
    await command.prisma.$executeRawUnsafe("begin");
    await command.prisma.setting.create({ data: { name: "half", value: "" } });
    await command.close();
    expect(await server.prisma.setting.count()).toBe(0);
    await server.close();
  });
});

async function until(holds: () => boolean): Promise<void> {
  while (!holds()) await wait(5);
}

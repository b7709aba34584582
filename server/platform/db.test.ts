import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it, vi } from "vitest";
import { type DatabasePlace, describeWithDatabase } from "#test/databases.ts";
import { environment, hasProgram } from "#test/deploy/programs.ts";
import { unusedPort } from "#test/unused-port.ts";
import { type Database, openDatabase, sharesConnections } from "./db.ts";
import { ConfigError } from "./env.ts";

describeWithDatabase("the database", (fresh) => {
  const opened: Database[] = [];
  const open = async (place: Awaited<ReturnType<typeof fresh>>) => {
    const database = await openDatabase(place);
    opened.push(database);
    return database;
  };
  afterEach(async () => {
    for (const database of opened.splice(0)) await database.close();
  });

  it("stores times to the millisecond, whatever the server's time zone", async () => {
    const { prisma } = await open(await fresh());
    const expiresAt = new Date("2026-07-01T12:34:56.789Z");
    const key = { prefix: "p", hash: "h", owner: "o", expiresAt };
    const { id } = await prisma.apiKey.create({ data: key });
    expect((await prisma.apiKey.findUniqueOrThrow({ where: { id } })).expiresAt).toEqual(expiresAt);
    const [row] = await prisma.$queryRaw<{ seconds: number }[]>`
      select extract(epoch from expires_at)::float8 as seconds from api_key`;
    expect(row!.seconds).toBe(expiresAt.getTime() / 1000);
  });

  it("is migrated once by several replicas that start together", async () => {
    const place = await fresh("empty");
    const replicas = await Promise.all([open(place), open(place), open(place)]);
    const [row] = await replicas[0]!.prisma.$queryRaw<{ count: number; names: number }[]>`
      select count(*)::int as count, count(distinct migration_name)::int as names from _prisma_migrations`;
    expect(row!.names).toBeGreaterThan(0);
    expect(row!.count).toBe(row!.names);
  });
});

/** Two clients of a pooler that has `count` connections and assigns them by the rule `next`. */
function clientsOf(count: number, next: (asked: number, client: number) => number) {
  let asked = 0;
  const clientOf = (client: number) => ({
    query: async () => ({ rows: [{ pid: next(asked++, client) % count }] }),
  });
  return [clientOf(0), clientOf(1)] as unknown as Parameters<typeof sharesConnections>[0];
}

describe("connections that are shared between transactions are noticed", () => {
  it.each([1, 2, 3, 4, 5, 8, 20])("in turn, of %i", async (count) => {
    expect(await sharesConnections(clientsOf(count, (asked) => asked))).toBe(true);
  });
  it("the one that was used last", async () => {
    expect(await sharesConnections(clientsOf(20, () => 7))).toBe(true);
  });
  it("but not where each client has its own", async () => {
    expect(await sharesConnections(clientsOf(20, (_, client) => client))).toBe(false);
  });
});

describe.skipIf(!hasProgram("pgbouncer"))("behind pgbouncer (needs pgbouncer)", () => {
  describeWithDatabase("a database", (fresh) => {
    const pooler: ChildProcess[] = [];
    const opened: Database[] = [];
    afterEach(async () => {
      for (const database of opened.splice(0)) await database.close();
      for (const each of pooler.splice(0)) each.kill();
    });

    /** The same database by a pooler. */
    async function pooled(place: DatabasePlace, mode: string): Promise<DatabasePlace> {
      const { searchParams, pathname, username } = new URL(place.databaseUrl.replace("@/", "@host/"));
      const port = await unusedPort();
      const file = path.join(place.dataDir, "pgbouncer.ini");
      const server = `host=${searchParams.get("host")} port=${searchParams.get("port") ?? 5432} user=${username}`;
      writeFileSync(
        file,
        `[databases]\npooled = ${server} dbname=${pathname.slice(1)}\n[pgbouncer]\nlisten_addr = 127.0.0.1\n` +
          `listen_port = ${port}\nauth_type = any\nunix_socket_dir =\npool_mode = ${mode}\n`,
      );
      // It does not run as root.
      const asNobody =
        process.getuid?.() === 0 ? ["unshare", "--user", "--map-user=1000", "--map-group=1000"] : [];
      const [program = "", ...args] = [...asNobody, "pgbouncer", file];
      pooler.push(spawn(program, args, { env: environment(), stdio: "ignore" }));
      return { ...place, databaseUrl: `postgresql://${username}@127.0.0.1:${port}/pooled` };
    }

    const open = async (place: DatabasePlace) => {
      const database = await openDatabase(place);
      opened.push(database);
      return database;
    };
    const begun = { timeout: 20_000, interval: 100 };

    it.each(["transaction", "statement"])(
      "is refused in words where connections are shared: pool_mode=%s",
      async (mode) => {
        const place = await pooled(await fresh(), mode);
        const refused = async () => {
          const error = await open(place).catch((error: unknown) => error);
          expect(error).toBeInstanceOf(ConfigError);
          expect((error as Error).message).toMatch(/pool_mode=session/);
        };
        await vi.waitFor(refused, begun);
      },
    );
  });
});

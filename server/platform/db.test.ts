import { readdirSync } from "node:fs";
import { afterEach, expect, it } from "vitest";
import { describeWithDatabase } from "#test/databases.ts";
import { type Database, openDatabase } from "./db.ts";

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

  it("is migrated when it opens, with the rows that prisma migrate writes, and once only", async () => {
    const place = await fresh("empty");
    await (await open(place)).close();
    const again = await open(place);
    const rows = await again.prisma.$queryRaw<{ name: string; done: boolean; checksum: string }[]>`
      select migration_name as name, finished_at is not null as done, checksum from _prisma_migrations
      order by migration_name`;
    const names = readdirSync("prisma/migrations").filter((name) => /^\d{4}_/.test(name));
    const checksum = expect.stringMatching(/^[0-9a-f]{64}$/);
    expect(rows).toEqual(names.toSorted().map((name) => ({ name, done: true, checksum })));
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

  it("rolls back a transaction that fails", async () => {
    const { prisma } = await open(await fresh());
    const failing = prisma.$transaction(async (transaction) => {
      await transaction.setting.create({ data: { name: "a", value: "1" } });
      throw new Error("halfway");
    });
    await expect(failing).rejects.toThrow("halfway");
    expect(await prisma.setting.count()).toBe(0);
  });

  it("is migrated once by several replicas that start together", async () => {
    const place = await fresh("empty");
    const replicas = await Promise.all([open(place), open(place), open(place)]);
    const [row] = await replicas[0]!.prisma.$queryRaw<{ count: number; names: number }[]>`
      select count(*)::int as count, count(distinct migration_name)::int as names from _prisma_migrations`;
    expect(row!.names).toBeGreaterThan(0);
    expect(row!.count).toBe(row!.names);
  });

  it("answers a ping while it is open", async () => {
    const database = await open(await fresh());
    await expect(database.ping()).resolves.toBeUndefined();
    await database.close();
    await expect(database.ping()).rejects.toThrow();
  });
});

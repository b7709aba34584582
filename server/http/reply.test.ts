import { PrismaPg } from "@prisma/adapter-pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { PrismaClient } from "#prisma/generated/client.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { NoSpaceError, QuotaError } from "#server/platform/errors.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { testRequestContext } from "#test/http.ts";
import { replyToError } from "./reply.ts";

const request = { id: "1", route: "/point", signal: new AbortController().signal };
const replyTo = (error: unknown) => replyToError(error, request, testRequestContext().log);

it("a stored quota that is used up is 507, with what the caller can delete", () => {
  expect(replyTo(new QuotaError("Delete results"))).toMatchObject({
    status: 507,
    body: '{"detail":"Delete results"}',
  });
});

it.each([
  ["ENOSPC", Object.assign(new Error("write"), { code: "ENOSPC" })],
  ["EDQUOT", new Error("failed", { cause: Object.assign(new Error("write"), { code: "EDQUOT" }) })],
  ["the typed error", new NoSpaceError()],
])("a full disk is 503 with Retry-After, and says nothing about the machine: %s", (_, error) => {
  const { status, headers, body } = replyTo(error);
  expect(status).toBe(503);
  expect(Number(headers["retry-after"])).toBeGreaterThan(0);
  expect(body).toBe('{"detail":"The service has no space left for tasks and stored answers"}');
});

describeWithDatabase("a full disk of the database", (fresh) => {
  let database: Database;
  beforeAll(async () => {
    database = await openDatabase(await fresh());
  });
  afterAll(() => database?.close());

  it("is 503 too", async () => {
    const error: unknown = await database.prisma
      .$executeRawUnsafe("do $$ begin raise exception 'no space' using errcode = 'disk_full'; end $$")
      .catch((reason: unknown) => reason);
    expect(replyTo(error).status).toBe(503);
    const other: unknown = await database.prisma
      .$executeRawUnsafe("select 1 / 0")
      .catch((reason: unknown) => reason);
    expect(replyTo(other).status).toBe(500);
  });
});

describeWithDatabase("a database that is away", (fresh) => {
  it("is 503 with Retry-After, whether it is refused, ends a session or breaks the connection", async () => {
    const place = await fresh();
    const database = await openDatabase(place);
    const failureOf = (query: Promise<unknown>) =>
      query.then(
        () => undefined,
        (error: unknown) => error,
      );
    const { prisma } = database;
    const ended = await failureOf(prisma.$queryRaw`select pg_terminate_backend(pg_backend_pid())`);
    await database.close();
    const nowhere = new PrismaClient({
      adapter: new PrismaPg({ connectionString: "postgresql://nobody@127.0.0.1:9/none" }),
    });
    const refused = [
      await failureOf(nowhere.$queryRaw`select 1`),
      await failureOf(nowhere.task.findMany({ where: { status: "PENDING" } })),
    ];
    await nowhere.$disconnect();
    for (const error of [ended, ...refused, new Error("Connection terminated unexpectedly")]) {
      const { status, headers, body } = replyTo(error);
      expect(status).toBe(503);
      expect(Number(headers["retry-after"])).toBeGreaterThan(0);
      expect(body).toBe('{"detail":"The database does not answer at the moment"}');
    }
  });

  it("is not seen in a statement that is wrong, which stays a fault of ours", async () => {
    const database = await openDatabase(await fresh());
    const error = await database.prisma.$queryRaw`select wrong`.catch((error: unknown) => error);
    await database.close();
    expect(replyTo(error).status).toBe(500);
  });
});

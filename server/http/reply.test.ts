import { afterAll, beforeAll, expect, it } from "vitest";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { NoSpaceError, QuotaError } from "#server/platform/errors.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { testRequestContext } from "#test/http.ts";
import { replyToError } from "./reply.ts";

const request = { id: "1", path: "/", signal: new AbortController().signal };
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

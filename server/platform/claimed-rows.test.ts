import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { Prisma } from "#prisma/generated/client.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { openTestStore, type TestStore } from "#test/tasks.ts";
import { ClaimedRows, claimedBy, type RowClaim } from "./claimed-rows.ts";

const LEASE_S = 15;

describeWithDatabase("rows that processes claim", (fresh) => {
  let test: TestStore;
  beforeAll(async () => {
    test = await openTestStore(await fresh());
  });
  afterAll(() => test?.database.close());

  it("belong to the last claim alone: two that take all they can share them, and one that stalled changes nothing", async () => {
    const ids = Array.from({ length: 6 }, () => randomUUID());
    for (const id of ids)
      await test.tables.$executeRaw`
        INSERT INTO outbox (id, task_id, address, payload, created_at, available_at)
        VALUES (${id}::uuid, ${id}::uuid, 'a@example.org', '{}', now(), now())`;
    const rows = new ClaimedRows(test.tables, "outbox", LEASE_S);
    const claimAll = async () => {
      const claims: RowClaim[] = [];
      for (let one = await next(); one; one = await next()) claims.push(one);
      return claims;
    };
    const next = () =>
      rows.claim(Prisma.sql`WHERE sent_at IS NULL AND available_at <= now() ORDER BY created_at`);
    const [one, other] = await Promise.all([claimAll(), claimAll()]);
    expect([...one, ...other].map(({ id }) => id).toSorted()).toEqual(ids.toSorted());

    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const stalled = Promise.withResolvers<void>();
    const lost = [...one, ...other][0]!;
    const holding = rows.hold(
      lost,
      () => stalled.promise,
      (error) => expect.fail(String(error)),
    );
    test.pass(LEASE_S + 1);
    const later = await claimAll();
    expect(later).toHaveLength(ids.length);
    const state = () => test.database.prisma.outbox.findUniqueOrThrow({ where: { id: lost.id } });
    const before = await state();
    test.pass(1);
    vi.advanceTimersByTime(1000 * LEASE_S);
    stalled.resolve();
    await holding;
    vi.useRealTimers();
    const sent = (claim: RowClaim) =>
      test.tables.$executeRaw`UPDATE outbox SET sent_at = now() WHERE ${claimedBy(claim)}`;
    expect(await sent(lost)).toBe(0);
    expect(await state()).toEqual(before);
    expect(await sent(later.find(({ id }) => id === lost.id)!)).toBe(1);
  });
});

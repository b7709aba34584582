import { once } from "node:events";
import { expect, it } from "vitest";
import { describeWithDatabase } from "#test/databases.ts";
import { newTask, openTestStore } from "#test/tasks.ts";
import { openDatabase } from "./db.ts";

describeWithDatabase("notifications of the database", (fresh) => {
  it("arrive, also after the connection was broken", async () => {
    const database = await openDatabase(await fresh());
    const heard = new EventTarget();
    const listener = database.listen("test", {
      connected: () => heard.dispatchEvent(new Event("connected")),
      notified: (payload) => heard.dispatchEvent(new CustomEvent("notified", { detail: payload })),
    });
    try {
      await once(heard, "connected");
      for (const text of ["a", "b"]) {
        const notified = once(heard, "notified");
        await database.prisma.$queryRaw`select pg_notify('test', ${text})::text`;
        expect((await notified)[0].detail).toBe(text);
        const again = once(heard, "connected");
        await database.prisma.$queryRaw`
          select pg_terminate_backend(pid) from pg_stat_activity where query = 'listen "test"'`;
        await again;
      }
    } finally {
      await listener.close();
      await database.close();
    }
  });

  it("name the tasks that change in a way that their owner sees, and no others", async () => {
    const { database, store, queue, pass } = await openTestStore(await fresh());
    const { prisma } = database;
    const told: string[] = [];
    const heard = new EventTarget();
    const listener = database.listen("metocean_task", {
      connected: () => heard.dispatchEvent(new Event("connected")),
      notified: (payload) => {
        told.push(payload);
        heard.dispatchEvent(new Event(payload));
      },
    });
    const connected = once(heard, "connected");
    /** What was told by a statement: notifications arrive in the order of their commits. */
    const toldBy = async (statement: () => Promise<unknown>) => {
      told.length = 0;
      await statement();
      const all = once(heard, "all");
      await prisma.$queryRaw`select pg_notify('metocean_task', 'all')::text`;
      await all;
      return told.slice(0, -1);
    };
    try {
      await connected;
      const task = newTask("a");
      expect(await toldBy(() => store.submit(task))).toEqual([]);
      expect(await toldBy(() => queue.claim())).toEqual([task.id]);
      const claim = { id: task.id, token: 1 };
      pass(1);
      expect(await toldBy(() => queue.beat(claim, 0.004))).toEqual([]);
      expect(await toldBy(() => queue.beat(claim, 0.5))).toEqual([task.id]);
      expect(await toldBy(() => queue.fail(claim, "broken"))).toEqual([task.id]);
      expect(await toldBy(() => store.remove("a", task.id))).toEqual([task.id]);
    } finally {
      await listener.close();
      await database.close();
    }
  });
});

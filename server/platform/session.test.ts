import { once } from "node:events";
import { expect, it } from "vitest";
import { describeWithDatabase } from "#test/databases.ts";
import { openDatabase } from "./db.ts";

describeWithDatabase("notifications of the database", (fresh) => {
  it("arrive, even after the connection was broken", async () => {
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
});

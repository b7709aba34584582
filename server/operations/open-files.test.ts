import { expect, it, vi } from "vitest";
import type { Reply } from "#server/http/api-request.ts";
import { openFilesBelow } from "#test/open-files.ts";
import { ask } from "#test/send.ts";
import { body, describeTasksApi, submit, success, work } from "#test/tasks-api.ts";

/** Entries of a result that is larger than what streams buffer. */
const entries = Array.from({ length: 20_000 }, (_, i) => ({
  coordinates: { ...body.points[0], latitude: ((i * 7919) % 90_001) / 1000 },
  conditions: {
    Winds_10m_Direction: ((i * 104_729) % 3601) / 10,
    Winds_10m_Intensity: ((i * 15_485_863) % 9973) / 100,
  },
}));

describeTasksApi("the files of a task", (api) => {
  /** A task that has ended with all entries. */
  async function endedTask(): Promise<string> {
    const text = JSON.stringify(entries).slice(1, -1);
    api.run = async (task, file, hooks) => {
      await api.test.database.prisma.task.update({ where: { id: task.id }, data: { size: entries.length } });
      return success(api, text)(task, file, hooks);
    };
    const id = await submit(api);
    await work(api);
    return id;
  }

  it("are closed after 50 replies of each kind that nobody reads, or not to the end", async () => {
    const id = await endedTask();
    const send = (method: string, target: string, headers: Record<string, string> = {}) =>
      ask(method, target, { headers });
    const { etag } = (await send("GET", `/task/${id}`)).headers;
    const unread: (() => Promise<Reply>)[] = [
      () => send("GET", `/task/${id}`),
      () => send("HEAD", `/task/${id}`),
      () => send("GET", `/task/${id}`, { "accept-encoding": "gzip" }),
      () => send("GET", `/task/${id}`, { "if-none-match": etag! }),
      () => send("HEAD", `/task/${id}`, { accept: "application/x-netcdf" }),
      () => send("GET", `/task/${id}`, { accept: "text/csv" }),
      () => send("GET", `/task/${id}`, { accept: "text/csv", "accept-encoding": "gzip" }),
      () => send("GET", `/task/${id}/request`),
      () => send("HEAD", `/task/${id}/request`),
    ];
    for (const reply of unread)
      for (let call = 0; call < 50; call++) {
        const { status, body } = await reply();
        expect([200, 304]).toContain(status);
        if (body === null || typeof body === "string" || body instanceof Uint8Array) continue;
        // Half of the clients leave before the first byte, half after it.
        const pieces = body[Symbol.asyncIterator]();
        if (call % 2) await pieces.next();
        await pieces.return?.();
      }
    await vi.waitFor(() => expect(openFilesBelow(api.folder)).toEqual([]));
  });
});

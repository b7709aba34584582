import { expect, it } from "vitest";
import { streamLimits } from "#server/tasks/events.ts";
import { describeTasksApi, send, submit } from "#test/tasks-api.ts";

describeTasksApi("event streams through the API", (api) => {
  const open = (id: string, headers = {}) => send("GET", `/task/${id}/events`, undefined, headers);
  const close = ({ body }: Awaited<ReturnType<typeof open>>) =>
    (body as AsyncGenerator<Uint8Array>).return(undefined);

  it("beyond its 16th stream a key has 429 with Retry-After, and another key is served", async () => {
    const id = await submit(api);
    const streams = [];
    for (let opened = 0; opened < streamLimits.ofKey; opened++) streams.push(await open(id));
    const refused = await open(id);
    expect([refused.status, refused.body]).toEqual([
      429,
      '{"error":"Rate limit exceeded: 16 event streams"}',
    ]);
    expect(refused.headers).toMatchObject({ "retry-after": "10", "cache-control": "no-store" });
    const other = { "x-api-key": "other-key" };
    const served = await open(await submit(api, {}, other), other);
    expect(served.status).toBe(200);
    await close(streams.pop()!);
    streams.push(await open(id), served);
    expect(streams.map(({ status }) => status)).toEqual(Array(streams.length).fill(200));
    for (const stream of streams) await close(stream);
    expect(api.taskEvents.open).toBe(0);
  });

  it("an ended task has its end as the only event", async () => {
    const id = await submit(api);
    await send("POST", `/cancel_task/${id}`);
    const events = [];
    const { body } = await open(id);
    for await (const bytes of body as AsyncIterable<Uint8Array>) events.push(Buffer.from(bytes).toString());
    expect(events).toEqual([expect.stringMatching(/^event: end\ndata: .*"status":"FAILURE"/)]);
  });

  it("while the server closes, a stream is refused with 503 and Retry-After", async () => {
    const id = await submit(api);
    api.taskEvents.drain();
    const refused = await open(id);
    expect([refused.status, refused.headers["retry-after"]]).toEqual([503, "10"]);
  });
});

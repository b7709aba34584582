import { expect, it } from "vitest";
import { serverEvents } from "./task-events.ts";

async function eventsOf(pieces: string[]) {
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
      controller.close();
    },
  });
  const read = [];
  for await (const event of serverEvents(body)) read.push(event);
  return read;
}

it("finds events wherever the stream is split", async () => {
  const text = 'event: progress\ndata: {"a":1}\n\n: still here\n\nevent: end\ndata: é\ndata: x\n\n';
  const expected = [
    { event: "progress", data: '{"a":1}' },
    { event: "end", data: "é\nx" },
  ];
  expect(await eventsOf([text])).toEqual(expected);
  expect(await eventsOf([...text])).toEqual(expected);
});

it("reports when the server wants to be asked again", async () => {
  const waits: number[] = [];
  const body = new Response("retry: 1500\n\nretry: soon\n\n").body!;
  for await (const event of serverEvents(body, { onRetry: (ms) => waits.push(ms) }))
    expect(event).toBeUndefined();
  expect(waits).toEqual([1500]);
});

it("drops an unfinished event", async () => {
  expect(await eventsOf(["event: end\ndata: x\n"])).toEqual([]);
});

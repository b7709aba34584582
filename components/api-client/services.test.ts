import { afterEach, expect, it, vi } from "vitest";
import type { ListedTask } from "#lib/contract/task.ts";
import { listedTask } from "#test/render.tsx";
import { followTask } from "./services.ts";

afterEach(() => vi.unstubAllGlobals());

/** Parsing of the stream itself is tested in clients/typescript/src/tasks.test.ts. */
function follow(reply: Response, update: (task: ListedTask) => void = () => undefined) {
  vi.stubGlobal("fetch", async () => reply);
  const controller = new AbortController();
  const done = followTask("id", { key: "key", signal: controller.signal, update });
  return { done, controller };
}

it("tells each entry that is one of the contract, to the end", async () => {
  const end = listedTask({ status: "SUCCESS", progress: 1 });
  const told: ListedTask[] = [];
  const text = `event: progress\ndata: {}\n\nevent: end\ndata: ${JSON.stringify(end)}\n\n`;
  await follow(new Response(text), (task) => void told.push(task)).done;
  expect(told).toEqual([end]);
});

it("gives up when the service refuses, and is silent when nobody follows any more", async () => {
  await expect(follow(new Response("{}", { status: 404 })).done).rejects.toMatchObject({ status: 404 });
  const { done, controller } = follow(new Response(""));
  controller.abort();
  expect(await done).toBeUndefined();
});

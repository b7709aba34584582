import { expect, it } from "vitest";
import type { Context } from "#server/context.ts";
import { acceptTask } from "./accept-task.ts";
import type { MailableBody } from "./answer-at-once.ts";
import type { RequestJob } from "./definition.ts";

/** A body that has its memory to itself. */
const bodyOf = (length: number): Uint8Array => Buffer.allocUnsafeSlow(length).fill("x");

function submit(outcome: string, bytes: Uint8Array) {
  let stored = 0;
  const tasks = {
    submit: async (_task: unknown, body: Uint8Array) => {
      stored = body.byteLength;
      return outcome;
    },
    store: { limits: { pendingOfOwner: 3 } },
  };
  const job = {
    body: { receive_mail: false },
    caller: { owner: "somebody" },
    context: { tasks } as unknown as Context,
    now: 0,
    taskId: "00000000-0000-4000-8000-000000000000",
    bytes,
  } as unknown as RequestJob<MailableBody>;
  return { accepted: acceptTask("MetOcean", job, 1), stored: () => stored };
}

it("gives back the memory of a large body as soon as its task is stored, and not of one that was refused", async () => {
  const large = bodyOf(2 ** 20);
  const { accepted, stored } = submit("taken", large);
  expect((await accepted).status).toBe(202);
  expect(stored()).toBeGreaterThan(0);
  expect(large.byteLength).toBe(0);
  const refused = bodyOf(2 ** 20);
  await expect(submit("owner is full", refused).accepted).rejects.toThrow();
  expect(refused.byteLength).toBeGreaterThan(0);
});

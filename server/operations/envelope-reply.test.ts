import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { ProcessingError, UnavailableError } from "#server/platform/errors.ts";
import {
  envelopeEndpoint,
  openTestServer,
  sampleSchema,
  type TestServer,
  testContext,
  testRequestContext,
} from "#test/http.ts";
import { acceptTask, type MailableBody } from "./accept-task.ts";
import type { RequestJob } from "./definition.ts";
import { type Answer, answerAtOnce } from "./envelope-reply.ts";
import { heldBody } from "./streamed-body.ts";

const success = async (): Promise<Answer> => ({ results: [1, 2], synthetic: true });

async function ask(
  { email = "master@example.org", mails = true, receive_mail = true, broken = false },
  work: () => Promise<Answer> = success,
) {
  const posted: unknown[] = [];
  const request = testRequestContext();
  const post = async (...letter: unknown[]) => {
    if (broken) throw new Error("The database is away");
    posted.push(letter);
  };
  const context = testContext({ ...request, mails: mails ? { post } : undefined });
  const aborter = new AbortController();
  const job = {
    body: { task_name: "Brest", receive_mail },
    caller: { id: "1", prefix: "good", owner: "a", email: email || undefined },
    context,
    taskId: "the-task",
    request: { header: () => undefined, aborter, signal: aborter.signal },
  } as unknown as RequestJob<MailableBody>;
  const reply = await answerAtOnce("MetOcean", job, {}, work, () => 2);
  return { reply, posted, notification: reply.headers["x-notification"], logged: request.logged };
}

describe("receive_mail of a request that is answered at once", () => {
  it("queues one email, without link or expiry, to the owner of the key", async () => {
    const { reply, posted, notification } = await ask({});
    expect(reply.status).toBe(200);
    expect(notification).toBeUndefined();
    const instant = new Date(1_800_000_000_000).toISOString();
    expect(posted).toEqual([
      [
        "master@example.org",
        {
          task_id: "the-task",
          kind: "MetOcean",
          task_name: "Brest",
          status: "SUCCESS",
          error: null,
          size: 2,
          created_at: instant,
          finished_at: instant,
          expires_at: null,
          synthetic: true,
        },
      ],
    ]);
  });

  it("states the reason of a failure, as the reply does", async () => {
    const { posted } = await ask({}, () => Promise.reject(new ProcessingError("No run covers this")));
    expect(posted).toMatchObject([
      ["master@example.org", { status: "FAILURE", error: "No run covers this" }],
    ]);
  });

  it.each([
    ["there is no mail server", { mails: false }],
    ["the key has no address", { email: "" }],
  ])("is reported as not configured in the reply where %s", async (_why, place) => {
    const { posted, notification } = await ask(place);
    expect([posted, notification]).toEqual([[], "not-configured"]);
  });

  it("queues none for an HTTP error", async () => {
    const away = new UnavailableError("The archive is away", 5);
    await expect(ask({}, () => Promise.reject(away))).rejects.toBe(away);
  });

  it("does not stop the answer when the email cannot be queued, and the reply says so", async () => {
    const { reply, notification, logged } = await ask({ broken: true });
    expect([reply.status, notification, logged[0]?.level]).toEqual([200, "failed", "error"]);
  });
});

/** Makes a body that owns its memory. */
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
    context: testContext({ tasks }),
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

let server: TestServer;
afterEach(() => server?.close());

const large = { schema: sampleSchema, limitBytes: 1e6, group: "data", bytes: 20 * 2 ** 20 } as const;
const body = JSON.stringify({ points: [{ latitude: 1 }] });
const head = [
  "POST /data HTTP/1.1",
  "Host: x",
  "x-api-key: good-key",
  "Content-Type: application/json",
  `Content-Length: ${body.length}`,
];

it("a client that leaves in the middle of a large answer frees its memory and its files at once", async () => {
  const closed = Promise.withResolvers<void>();
  async function* endless() {
    try {
      for (;;) yield new Uint8Array(65_536);
    } finally {
      closed.resolve();
    }
  }
  const formats = { "text/csv": () => endless() };
  server = await openTestServer({
    "/data": { POST: envelopeEndpoint({ ...large, formats }, async () => ({ results: [] })) },
  });
  const { port } = server.server.address() as { port: number };
  const socket = connect(port, "127.0.0.1");
  socket.write(`${[...head, "Accept: text/csv"].join("\r\n")}\r\n\r\n${body}`);
  await once(socket, "data");
  expect(server.context.queues.large.bytes).toBe(large.bytes);
  socket.destroy();
  await closed.promise;
  await expect.poll(() => server.context.queues.large.bytes).toBe(0);
});

it("a body that is dropped unread frees what it holds", async () => {
  let released = 0;
  async function* pieces() {
    yield new Uint8Array(1);
  }
  const dropped = heldBody({ [Symbol.asyncIterator]: pieces }, () => () => released++);
  if (dropped === null || typeof dropped === "string" || dropped instanceof Uint8Array) throw new TypeError();
  await dropped[Symbol.asyncIterator]().return?.();
  expect(released).toBe(1);
});

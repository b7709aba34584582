import { describe, expect, it } from "vitest";
import type { Context } from "#server/context.ts";
import { ProcessingError, UnavailableError } from "#server/platform/errors.ts";
import { testRequestContext } from "#test/http.ts";
import { type Answer, answerAtOnce, type MailableBody } from "./answer-at-once.ts";
import type { RequestJob } from "./definition.ts";

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
  const context = { ...request, mails: mails ? { post } : undefined } as unknown as Context;
  const job = {
    body: { task_name: "Brest", receive_mail },
    caller: { id: "1", prefix: "good", owner: "a", email: email || undefined },
    context,
    taskId: "the-task",
    signal: new AbortController().signal,
    request: { header: () => undefined, signal: new AbortController().signal },
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

  it("adds nothing to replies where no email is requested", async () => {
    for (const place of [{ receive_mail: false }, { receive_mail: false, mails: false }]) {
      const { posted, notification } = await ask(place);
      expect([posted, notification]).toEqual([[], undefined]);
    }
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

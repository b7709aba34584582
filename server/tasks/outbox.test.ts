import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type Mail, MailRefusedError } from "#server/platform/mail.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { newTask, openTestStore, type TestStore } from "#test/tasks.ts";
import { Outbox, type TaskMailFacts, taskMail } from "./outbox.ts";

const silent = { info() {}, warn() {}, error() {} };

describeWithDatabase("the outbox", (fresh) => {
  let test: TestStore;
  let sent: Mail[];
  let fails: Error[];
  beforeAll(async () => {
    test = await openTestStore(await fresh());
  });
  afterAll(() => test?.database.close());
  beforeEach(async () => {
    await test.database.prisma.task.deleteMany();
    await test.database.prisma.outbox.deleteMany();
    sent = [];
    fails = [];
  });

  /** An outbox whose mail server first throws the errors in `fails`. */
  const sender = (deliver: (mail: Mail) => Promise<void> = async (mail) => void sent.push(mail)) =>
    new Outbox({
      tables: test.tables,
      publicUrl: "https://metocean.example.org",
      log: silent,
      mailer: {
        async send(mail) {
          const failure = fails.shift();
          if (failure) throw failure;
          await deliver(mail);
        },
      },
    });

  /** An ended task that requested an email. */
  const ended = async () => {
    const task = newTask("a", { receiveMail: true, mailTo: "master@example.org", name: "Brest" });
    await test.store.submit(task);
    await test.store.cancel("a", task.id);
    test.pass(1);
    return task.id;
  };

  it("sends the email about a request that was answered at once, once", async () => {
    const outbox = sender();
    await outbox.post("master@example.org", { ...facts, task_name: "Brest", expires_at: null });
    await outbox.poll();
    await outbox.poll();
    expect(sent).toMatchObject([{ to: "master@example.org", subject: "Open MetOcean: “Brest” is finished" }]);
  });

  it("sends one email for each ended task, however often and by however many processes the outbox is polled", async () => {
    const ids = [await ended(), await ended(), await ended()];
    const senders = [sender(), sender()];
    for (let round = 0; round < 3; round++) {
      await Promise.all(senders.map((one) => one.poll()));
      test.pass(3_600);
    }
    expect(sent).toHaveLength(3);
    for (const id of ids) expect(sent.filter(({ text }) => text.includes(id))).toHaveLength(1);
    expect(new Set(sent.map(({ to }) => to))).toEqual(new Set(["master@example.org"]));
  });

  it("keeps an email while the mail server is unreachable, and tries again later", async () => {
    await ended();
    fails = [new Error("ECONNREFUSED"), new Error("451 try later")];
    const outbox = sender();
    await outbox.poll();
    await outbox.poll();
    expect(fails).toHaveLength(1);
    test.pass(11);
    await outbox.poll();
    test.pass(61);
    await outbox.poll();
    expect(sent).toHaveLength(1);
  });

  it("abandons an email that the server rejects permanently, and stores the reason in its row", async () => {
    await ended();
    fails = [new MailRefusedError("The mail server refused the email (550)", 550)];
    const outbox = sender();
    await outbox.poll();
    test.pass(86_400);
    await outbox.poll();
    expect(sent).toEqual([]);
    expect(await test.database.prisma.outbox.findFirst()).toMatchObject({
      sentAt: null,
      error: "The mail server refused the email (550)",
    });
  });

  it("leaves an email to a running sender, however slow the mail server is", async () => {
    await ended();
    const timeOf = async () => (await test.database.prisma.outbox.findFirst())!.availableAt.getTime();
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
    const delivery = Promise.withResolvers<void>();
    const slow = sender((mail) => {
      sent.push(mail);
      return delivery.promise;
    });
    const sending = slow.poll();
    await expect.poll(() => sent.length).toBe(1);
    for (let beat = 0; beat < 3; beat++) {
      const before = await timeOf();
      test.pass(10);
      vi.advanceTimersByTime(4_000);
      await expect.poll(timeOf).toBe(before + 10_000);
    }
    const next = sender();
    await next.poll();
    delivery.resolve();
    await sending;
    await next.poll();
    expect(sent).toHaveLength(1);
    expect(vi.getTimerCount()).toBe(0);
    vi.useRealTimers();
  });
});

const facts: TaskMailFacts = {
  task_id: "0198c0de-0000-7000-8000-000000000000",
  kind: "MetOcean",
  task_name: "Brest → Horta",
  status: "SUCCESS",
  error: null,
  size: 100_000,
  created_at: "2026-11-21T04:00:00.123+00:00",
  finished_at: "2026-11-21T04:01:00.000Z",
  expires_at: "2026-11-28T04:01:00Z",
  synthetic: true,
};
const mail = (more: Partial<TaskMailFacts> = {}) =>
  taskMail("id", "mate@example.org", { ...facts, ...more }, "https://metocean.example.org");

it("has name, status, size, link and expiry, and says that synthetic values are invented", () => {
  const { subject, text } = mail();
  expect(subject).toBe("Open MetOcean: “Brest → Horta” is finished");
  for (const expected of [
    "Status: SUCCESS",
    "100,000 points",
    "https://metocean.example.org/tasks?task=0198c0de-0000-7000-8000-000000000000",
    "Result kept until: 2026-11-28T04:01:00Z",
    "invented",
    "Not for navigation.",
  ]) {
    expect(text).toContain(expected);
  }
});

it("gives the reason of a failure", () => {
  const { subject, text } = mail({ status: "FAILURE", error: "Task cancelled by user", task_name: null });
  expect(subject).toBe("Open MetOcean: Your task has failed");
  expect(text).toContain("Reason: Task cancelled by user");
});

it("shows the user's text as text, never as HTML", () => {
  const { html } = mail({ task_name: `<img src=x onerror="alert('&')">`, error: "<b>", status: "FAILURE" });
  expect(html).not.toMatch(/<img|<b>/);
  expect(html).toContain("&lt;img src=x onerror=&quot;alert(&#39;&amp;&#39;)&quot;&gt;");
});

it("has neither link nor expiry for a request that was answered at once", () => {
  const { subject, text } = mail({ expires_at: null, task_name: null, size: null });
  expect(subject).toBe("Open MetOcean: Your request is finished");
  expect(text).toContain("Request: MetOcean\n");
  expect(text).toContain("Its result is not stored");
  expect(text).not.toMatch(/kept until|Open it|https:/);
});

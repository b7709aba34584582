import { expect, it } from "vitest";
import { type TaskMailFacts, taskMail } from "./task-mail.ts";

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

it("has name, status, size, link and expiry, and says that synthetic numbers are invented", () => {
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
  expect(text).toContain("its result is not kept");
  expect(text).not.toMatch(/kept until|Open it|https:/);
});

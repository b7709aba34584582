import { z } from "zod";
import type { TaskKind } from "#lib/contract/task.ts";
import { escapeMarkup, linkedHtml } from "#lib/markup.ts";
import type { Mail } from "#server/platform/mail.ts";

/** Content of the email about a task, as written by the statement that ended the task. Neither data nor key. */
export const taskMailFacts = z.object({
  task_id: z.string(),
  kind: z.string(),
  task_name: z.string().nullable(),
  status: z.enum(["SUCCESS", "FAILURE"]),
  error: z.string().nullable(),
  size: z.number().nullable(),
  created_at: z.string(),
  finished_at: z.string(),
  /** null for a request that was answered at once: nothing of it is stored. */
  expires_at: z.string().nullable(),
  synthetic: z.boolean(),
});

/** What the size of a request counts. */
const units: Readonly<Record<TaskKind, string>> = {
  MetOcean: "points",
  "2DMetOcean": "values of a map",
  files: "values of a file",
  "passages/evaluate": "places of passages",
  "passages/optimise": "nautical miles of a route",
};

export type TaskMailFacts = z.infer<typeof taskMailFacts>;

/**
 * The email about a task, as text and as HTML with the same words.
 *
 * @param id Of the email. It never changes.
 * @param publicUrl Where the service is reached from outside, without a slash at its end.
 */
export function taskMail(id: string, to: string, facts: TaskMailFacts, publicUrl: string): Mail {
  const done = facts.status === "SUCCESS";
  const title = facts.task_name?.trim()
    ? `“${facts.task_name.trim()}”`
    : `Your ${facts.expires_at === null ? "request" : "task"}`;
  const headline = `${title} ${done ? "is finished" : "has failed"}`;
  const unit = units[facts.kind as TaskKind] ?? "values";
  const amount = facts.size === null ? "" : `, ${facts.size.toLocaleString("en")} ${unit}`;
  const { expires_at } = facts;
  const rows: Row[] = [
    ["Status", facts.status],
    ...(facts.error ? [row("Reason", facts.error)] : []),
    ["Request", `${facts.kind}${amount}`],
    ["Accepted", instant(facts.created_at)],
    ["Finished", instant(facts.finished_at)],
    ...(expires_at === null ? [] : [row(done ? "Result kept until" : "Listed until", instant(expires_at))]),
    ["Task", facts.task_id],
    ...(expires_at === null ? [] : [row("Open it", `${publicUrl}/tasks?task=${facts.task_id}`)]),
  ];
  const notes = [
    ...(expires_at === null
      ? ["It was answered at once, to whoever sent it: its result is not kept, and not in the inbox."]
      : []),
    ...(facts.synthetic ? ["The numbers come from the synthetic demo world: they are invented."] : []),
    "Not for navigation.",
  ];
  return {
    id,
    to,
    subject: `Open MetOcean: ${headline}`,
    text: `${[headline, "", ...rows.map(([label, value]) => `${label}: ${value}`), "", ...notes].join("\n")}\n`,
    html: [
      `<p>${escapeMarkup(headline)}</p>`,
      "<table>",
      ...rows.map(
        ([label, value]) => `<tr><td>${escapeMarkup(label)}</td><td>${linkedHtml(value)}</td></tr>`,
      ),
      "</table>",
      ...notes.map((note) => `<p>${escapeMarkup(note)}</p>`),
    ].join("\n"),
  };
}

type Row = [label: string, value: string];

const row = (label: string, value: string): Row => [label, value];

/** Any ISO 8601 time in the API's own form. */
function instant(text: string): string {
  return `${new Date(text).toISOString().slice(0, 19)}Z`;
}

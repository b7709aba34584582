import { expect, it } from "vitest";
import type { ListedTask } from "#lib/contract/task.ts";
import { en } from "#test/all-words.ts";
import { renderInPage } from "#test/render.tsx";
import { boxValues, formatDuration, runSeconds, TaskForm } from "./task-form.tsx";

const form = (more: { failure?: string; problem?: string; busy?: boolean }) =>
  renderInPage(
    <TaskForm
      given={undefined}
      busy={false}
      failure={undefined}
      problem={undefined}
      estimate=""
      onSubmit={() => undefined}
      {...more}
    >
      <p>Fields</p>
    </TaskForm>,
  );

/** What is seen without scrolling. */
const footOf = (html: string) => html.slice(html.indexOf("form-foot"));

it.each([
  [
    "a problem of the input",
    { problem: "Choose at least one quantity." },
    /role="status">Choose at least one/,
  ],
  ["why it was not sent", { failure: "Too many requests." }, /role="alert"[^>]*>Too many requests\./],
])("says %s in the foot of the form, beside the button", (_, given, text) => {
  const foot = footOf(form(given));
  expect(foot).toMatch(text);
  expect(foot).toContain("Start the task");
});

it("keeps the focus on its button while it is sent", () => {
  expect(footOf(form({ busy: true }))).toMatch(
    /<button[^>]*aria-disabled="true"(?![^>]*disabled="")[^>]*>Sending…/,
  );
});

it("counts the values of a box as the service does, across 180° too", () => {
  expect(boxValues([10, 11], [20, 21], 0, 2)).toBe(5 * 5 * 2);
  expect(boxValues([10, 11], [179, -179], 0, 1)).toBe(5 * 9);
  expect(boxValues([-90, 90], [-180, 180], 0, 2)).toBe(721 * 1440 * 2);
  expect(boxValues([0, 0], [0, 0], 24, 1)).toBe(25);
});

const task = (seconds: number, size: number, kind: ListedTask["kind"] = "MetOcean"): ListedTask => ({
  task_id: "x",
  task_name: null,
  kind,
  created_at: "2026-01-01T00:00:00.000Z",
  started_at: "2026-01-01T00:00:00.000Z",
  finished_at: new Date(Date.parse("2026-01-01T00:00:00Z") + 1000 * seconds).toISOString(),
  expires_at: null,
  progress: 1,
  queue_position: null,
  status: "SUCCESS",
  size,
  error: null,
  result_bytes: 1,
  receive_mail: false,
  notification: null,
});

it("estimates durations by the median speed of past tasks that ran long enough to have one", () => {
  const past = [task(10.5, 1_000), task(10.5, 2_000), task(20.5, 40_000)];
  expect(runSeconds("MetOcean", 10_000, past)).toBeCloseTo(50.5);
  expect(runSeconds("2DMetOcean", 3_000_000, past)).toBeCloseTo(1.5);
});

it("takes no speed from tasks that were over at once: they show only what the server can do at least", () => {
  const small = [task(0.4, 3), task(0.5, 10), task(0.3, 200, "2DMetOcean"), task(1.2, 50)];
  expect(runSeconds("MetOcean", 100_000, small)).toBeLessThan(10);
  expect(runSeconds("2DMetOcean", 10_000_000, small)).toBeLessThan(10);
  // A task that was faster than what is assumed counts.
  expect(runSeconds("MetOcean", 200_000, [...small, task(1, 50_000)])).toBeCloseTo(4.5);
  // And the slow one that ran long enough counts beside any number of small ones.
  expect(runSeconds("MetOcean", 10_000, [...small, task(100.5, 1_000)])).toBeCloseTo(1000.5);
});

it.each([
  [1, "a few seconds"],
  [41, "about 40 s"],
  [180, "about 3 min"],
  [8000, "about 2 h"],
])("writes %d seconds as %s", (seconds, text) => expect(formatDuration(seconds, en)).toBe(text));

import { FormProvider, useForm } from "react-hook-form";
import { expect, it } from "vitest";
import { en } from "#test/all-words.ts";
import { listedTask, renderInPage } from "#test/render.tsx";
import { boxValues, commonBody, commonDraft, formatDuration, runSeconds, TaskForm } from "./task-form.tsx";

it.each([
  ["a problem of the input", { problem: "Choose one." }, /role="status">Choose one.*Start the task/],
  [
    "why it was not sent",
    { failure: "Too many requests." },
    /Start the task.*role="alert"[^>]*>Too many requests\./,
  ],
  [
    "that it is being sent, and keeps the focus on its button",
    { busy: true },
    /<button[^>]*aria-disabled="true"(?![^>]*disabled="")[^>]*>Sending…/,
  ],
])("the foot of the form, which is always seen, says %s", (_, given, text) => {
  const form = {
    busy: false,
    failure: undefined,
    problem: undefined,
    estimate: "",
    ...given,
  };
  const Form = () => (
    <FormProvider {...useForm({ defaultValues: commonDraft() })}>
      <TaskForm {...form} onSubmit={() => undefined}>
        <p>Fields</p>
      </TaskForm>
    </FormProvider>
  );
  const html = renderInPage(<Form />);
  expect(html.slice(html.indexOf("form-foot"))).toMatch(text);
});

it.each([
  [[10, 11], [20, 21], 0, 2, 5 * 5 * 2],
  [[10, 11], [179, -179], 0, 1, 5 * 9],
  [[-90, 90], [-180, 180], 0, 2, 721 * 1440 * 2],
  [[0, 0], [0, 0], 24, 1, 25],
] as const)("counts the values of %j × %j as the service does", (rows, columns, hours, fields, count) => {
  expect(boxValues(rows, columns, hours, fields)).toBe(count);
});

const past = (seconds: number, size: number, kind: "MetOcean" | "2DMetOcean" = "MetOcean") => {
  const [start, end] = [0, seconds].map((at) => new Date(1000 * at).toISOString());
  return listedTask({ kind, size, status: "SUCCESS", started_at: start!, finished_at: end! });
};
const small = [past(0.4, 3), past(0.5, 10), past(0.3, 200, "2DMetOcean"), past(1.2, 50)];
const long = [past(10.5, 1_000), past(10.5, 2_000), past(20.5, 40_000)];

it.each([
  ["the median speed of tasks that ran long", "MetOcean", 10_000, long, 50.5],
  ["an assumed speed without any of the kind", "2DMetOcean", 3_000_000, long, 1.5],
  ["no speed of tasks that were over at once", "MetOcean", 100_000, small, 5.5],
  ["that of a task that was faster than assumed", "MetOcean", 200_000, [...small, past(1, 50_000)], 4.5],
  ["that of a slow one beside small ones", "MetOcean", 10_000, [...small, past(100.5, 1_000)], 1000.5],
] as const)("estimates a duration by %s", (_, kind, size, done, seconds) => {
  expect(runSeconds(kind, size, done)).toBeCloseTo(seconds);
});

it.each([
  [1, "a few seconds"],
  [41, "about 40 s"],
  [180, "about 3 min"],
  [8000, "about 2 h"],
])("writes %d seconds as %s", (seconds, text) => expect(formatDuration(seconds, en)).toBe(text));

it("a task has the name that was typed, or the one of what it is made of, and none of spaces", () => {
  const draft = commonDraft();
  expect(commonBody(draft, "North")).toMatchObject({ task_name: "North", receive_mail: false });
  expect(commonBody({ ...draft, task_name: " South " }, "North")).toMatchObject({ task_name: "South" });
  expect(commonBody({ ...draft, task_name: " " }, "North")).not.toHaveProperty("task_name");
});

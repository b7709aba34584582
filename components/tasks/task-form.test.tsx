import { expect, it } from "vitest";
import { renderInPage } from "#test/render.tsx";
import { TaskForm } from "./task-form.tsx";

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

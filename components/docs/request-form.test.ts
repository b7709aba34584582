import { expect, it } from "vitest";
import { describeApi } from "#lib/contract/described-api.ts";
import { apiDocument } from "#server/operations/list.ts";
import {
  exampleForm,
  printValue,
  requestOf,
  type SnippetLanguage,
  snippetOf,
  styles,
} from "./request-form.ts";

const { operations } = describeApi(apiDocument(""));
const operation = (slug: string) => operations.find((candidate) => candidate.slug === slug)!;
const points = operation("post-metocean");
const languages: SnippetLanguage[] = ["curl", "typescript", "python"];

it("a request has the values of the form: in its path, its query, its headers and its body", () => {
  const danger = operation("get-storms-id-danger");
  const form = exampleForm(danger);
  expect(requestOf(danger, form).target).toBe("/storms/{id}/danger?provider=jtwc");
  const filled = { ...form, parameters: { ...form.parameters, id: "a/b $&", method: "season" } };
  expect(requestOf(danger, filled).target).toBe("/storms/a%2Fb%20%24%26/danger?provider=jtwc&method=season");
  const sent = requestOf(points, {
    parameters: { "Idempotency-Key": "once" },
    body: "{}",
    accept: "text/csv",
  });
  expect(sent.headers).toEqual({
    "content-type": "application/json",
    accept: "text/csv",
    "idempotency-key": "once",
  });
  expect(sent.body).toBe("{}");
});

it.each(languages)("%s changes with the format, and never contains a key", (language) => {
  const form = exampleForm(points);
  const asked = (accept: string) => snippetOf(language, requestOf(points, { ...form, accept }), "https://x");
  expect(asked("application/json")).not.toContain("accept");
  expect(asked("text/csv")).toContain("text/csv");
  expect(asked("application/x-netcdf")).toContain("post-metocean.nc");
  expect(asked("text/csv")).toContain("METOCEAN_KEY");
  expect(
    snippetOf(
      language,
      requestOf(operation("get-limits"), exampleForm(operation("get-limits"))),
      "https://x",
    ),
  ).not.toContain("METOCEAN_KEY");
});

it("a quote in a body does not end the text of the shell", () => {
  const request = requestOf(points, { ...exampleForm(points), body: `{"task_name": "St. John's"}` });
  expect(snippetOf("curl", request, "https://x")).toContain(`-d '{"task_name": "St. John'\\''s"}'`);
});

it("short values are in one line, long ones have an entry a line, in the words of each language", () => {
  expect(printValue({ a: [1, 2], b: null })).toBe('{ "a": [1, 2], "b": null }');
  expect(printValue({ a: true, b: null }, styles.python)).toBe('{ "a": True, "b": None }');
  expect(printValue({ a: 1, "b-c": 2 }, styles.typescript)).toBe('{ a: 1, "b-c": 2 }');
  const long = { list: Array.from({ length: 30 }, (_, i) => ({ value: i })), nothing: {} };
  expect(JSON.parse(printValue(long))).toEqual(long);
  expect(printValue(long).split("\n")).toHaveLength(35);
});

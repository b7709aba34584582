import { expect, it } from "vitest";
import { apiDocument, operations } from "#server/operations/operations.ts";
import { describeApi, groupOfPath } from "./described-api.ts";
import { requestExamples } from "./examples.ts";
import { type RequestName, requests } from "./wire-schemas.ts";

const NOW = Date.UTC(2026, 8, 15, 12, 34, 56) / 1000;
const published = operations.filter(({ docs }) => docs);
const api = describeApi(apiDocument("", NOW));

it.each(Object.keys(requestExamples) as RequestName[])(
  "the example of %s keeps the rules of its schema",
  (name) => {
    const read = requests[name].safeParse(requestExamples[name](NOW));
    expect(read.error?.issues ?? []).toEqual([]);
  },
);

it.each(published.map(({ method, path }) => `${method} ${path}`))(
  "%s has an example of all that it needs",
  (name) => {
    const operation = api.operations.find(({ method, path }) => `${method} ${path}` === name)!;
    for (const parameter of operation.parameters) {
      if (!parameter.required || parameter.value !== "" || parameter.source.length > 0) continue;
      expect.fail(
        `${name}: the required parameter ${parameter.name} has no example. Give it \`example\` (in zod .meta({ example })), in ` +
          "docs.example where it depends on the time, or `x-source` (idParameter) where it is an id from another reply",
      );
    }
    expect(operation.body === undefined || operation.body.example !== undefined, `${name}: its body`).toBe(
      true,
    );
  },
);

it("each operation is in a group, and has a page of its own", () => {
  for (const { path } of published) expect(() => groupOfPath(path)).not.toThrow();
  const slugs = api.operations.map(({ slug }) => slug);
  expect(new Set(slugs).size).toBe(published.length);
  for (const slug of slugs) expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
});

it("the examples are in the OpenAPI document, around the time that it is made for", () => {
  const bodies = JSON.stringify(apiDocument("", NOW));
  expect(bodies).toContain('"timestamp":"2026-09-15T18:00:00Z"');
  expect(JSON.stringify(apiDocument(""))).toContain('"timestamp":"2026-01-01T06:00:00Z"');
});

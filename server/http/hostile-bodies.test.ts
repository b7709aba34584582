import { expect, it } from "vitest";
import { requestExamples } from "#lib/contract/examples.ts";
import { mapRequest } from "#lib/contract/map2d.ts";
import { pointRequest } from "#lib/contract/point.ts";
import { type RequestName, requests } from "#lib/contract/wire-schemas.ts";
import { type Json, mutate } from "#test/fuzz/json.ts";
import { randomOf } from "#test/fuzz/random.ts";
import { HttpError, type ValidationIssue } from "./reply.ts";
import { bodyReader, checkerOf, parseJsonBody } from "./validation.ts";

/** Bodies of each schema. */
const BODIES = 2_000;

/** The issues of a 422; undefined for a body that is accepted. Any other error fails the test. */
function issuesOf(check: (input: unknown) => unknown, body: unknown): ValidationIssue[] | undefined {
  try {
    check(body);
    return undefined;
  } catch (error) {
    if (error instanceof HttpError && error.reply.status === 422)
      return JSON.parse(String(error.reply.body)).detail;
    throw new Error(`Not refused in words: ${JSON.stringify(body)}`, { cause: error });
  }
}

it.each(Object.keys(requestExamples) as RequestName[])(
  "answers any body near a valid one of %s with a value or with 422",
  (name) => {
    const check = checkerOf(requests[name], "body");
    const random = randomOf(name.length);
    const example = requestExamples[name](1_767_225_600) as Json;
    let refused = 0;
    for (let count = 0; count < BODIES; count++) {
      const body = parseJsonBody(Buffer.from(JSON.stringify(mutate(example, random)) ?? "null"));
      const issues = issuesOf(check, body) ?? [];
      if (issues.length > 0) refused++;
      for (const { type, loc, msg } of issues) {
        expect(type).toMatch(/^[a-z_]+$/);
        expect(loc[0]).toBe("body");
        expect(msg).not.toMatch(/undefined|NaN|\[object/);
      }
    }
    expect(issuesOf(check, example)).toBeUndefined();
    expect(refused).toBeGreaterThan(BODIES / 10);
  },
);

it.each([[{ length: {} }], [{ length: 3 }]])("refuses %j for a list by its type alone", (value: object) => {
  const issues = issuesOf(checkerOf(pointRequest(10), "body"), { points: value, variables: value });
  const issue = { type: "list_type", msg: "Input should be a valid list" };
  expect(issues).toEqual(["points", "variables"].map((field) => ({ ...issue, loc: ["body", field] })));
});

it("refuses a list beyond any bound in words, also where a list is one of several forms of a value", () => {
  const box = { latitude: [0, 1], longitude: [0, 1], timestamp: Array(40_000).fill("x") };
  const bytes = Buffer.from(JSON.stringify({ bounding_boxes: [box], variable: "wind" }));
  const { read } = bodyReader(mapRequest);
  expect(issuesOf((body) => read(body as Uint8Array, 0), bytes)?.[0]?.loc).toContain("timestamp");
});

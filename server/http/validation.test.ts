import { expect, it } from "vitest";
import { z } from "zod";
import { pointRequest } from "#lib/contract/point.ts";
import { ensureParsable } from "./parsable.ts";
import { HttpError, type ValidationIssue } from "./reply.ts";
import { checkerOf, parseJsonBody } from "./validation.ts";

const check = checkerOf(pointRequest(10_000), "body");
const point = { latitude: 1, longitude: 2, timestamp: "2026-01-01T00:00:00Z" };

/** The issues of the 422 that a check throws; none where it accepts. */
function issuesIn(run: () => unknown): ValidationIssue[] {
  try {
    run();
  } catch (error) {
    if (!(error instanceof HttpError)) throw error;
    expect(error.reply.status).toBe(422);
    return JSON.parse(String(error.reply.body)).detail;
  }
  return [];
}

const issuesOf = (input: unknown) => issuesIn(() => check(input));

const withPoint = (change: object) => ({ points: [{ ...point, ...change }], variables: ["wind"] });

it.each([
  [withPoint({ latitude: "35" }), "float_type", "points.0.latitude"],
  [withPoint({ latitude: -91 }), "greater_than_equal", "points.0.latitude", { ge: -90 }],
  [withPoint({ longitude: 190 }), "less_than_equal", "points.0.longitude", { le: 180 }],
  [withPoint({ latitude: Number.POSITIVE_INFINITY }), "finite_number", "points.0.latitude"],
  [withPoint({ timestamp: "2026-01-01" }), "datetime_parsing", "points.0.timestamp"],
  [withPoint({ timestamp: 5 }), "string_type", "points.0.timestamp"],
  [{ variables: ["wind"] }, "missing", "points"],
  [{ points: null, variables: ["wind"] }, "list_type", "points"],
  [{ points: [3], variables: ["wind"] }, "model_attributes_type", "points.0"],
  [
    { points: [], variables: ["wind"] },
    "too_short",
    "points",
    { field_type: "List", min_length: 1, actual_length: 0 },
  ],
  [{ ...withPoint({}), receive_mail: "yes" }, "bool_type", "receive_mail"],
  [{ ...withPoint({}), task_name: "x".repeat(201) }, "string_too_long", "task_name", { max_length: 200 }],
  ["", "model_attributes_type", ""],
] as [unknown, string, string, object?][])("%j is %s at %s", (body, type, loc, ctx) => {
  const found = issuesOf(body).map((issue) => [issue.type, issue.loc.slice(1).join("."), issue.ctx]);
  expect(found).toEqual([[type, loc, ctx]]);
});

it("uses pydantic's messages", () => {
  const said = issuesOf({ points: [{ latitude: 91, timestamp: 1 }], variables: "wind" }).map(
    ({ msg }) => msg,
  );
  expect(said).toEqual([
    "Input should be less than or equal to 90",
    "Field required",
    "Input should be a valid string",
    "Input should be a valid list",
  ]);
});

it("reports at most 50 entries, and never echoes the input", () => {
  const points = Array.from({ length: 9000 }, () => ({
    latitude: "SECRET",
    longitude: "SECRET",
    timestamp: "SECRET",
  }));
  const issues = issuesOf({ points, variables: ["SECRET"] });
  expect(issues).toHaveLength(50);
  expect(JSON.stringify(issues)).not.toContain("SECRET");
});

it("ignores unknown fields, including the names of JavaScript's own", () => {
  const parsed = parseJsonBody(
    Buffer.from('{"__proto__":{"admin":true},"constructor":1,"points":[{"latitude":1}],"toString":2}'),
  );
  const checked = checkerOf(
    z.object({ points: z.array(z.object({ latitude: z.number() })) }),
    "body",
  )(parsed);
  expect(checked).toEqual({ points: [{ latitude: 1 }] });
  expect(({} as { admin?: boolean }).admin).toBeUndefined();
});

it("distinguishes broken, empty and non-UTF-8 JSON", () => {
  const issuesOfBody = (bytes: Uint8Array) => issuesIn(() => parseJsonBody(bytes));
  expect(issuesOfBody(Buffer.from("{'a': 1}"))).toEqual([
    {
      type: "json_invalid",
      loc: ["body", 1],
      msg: "JSON decode error",
      ctx: { error: "Expecting property name enclosed in double quotes" },
    },
  ]);
  expect(issuesOfBody(new Uint8Array())).toEqual([{ type: "missing", loc: ["body"], msg: "Field required" }]);
  expect(issuesOfBody(Buffer.from([0x22, 0xff, 0x22]))).toMatchObject([{ type: "json_invalid" }]);
});

it("looks at no more entries of a wrong list than it reports, however long the list is", () => {
  let looked = 0;
  const entry = z.custom(() => {
    looked++;
    return false;
  });
  const check = checkerOf(z.object({ list: z.array(entry) }), "body");
  expect(() => check({ list: Array(100_000).fill(0) })).toThrow(HttpError);
  expect(looked).toBeLessThan(200);
});

it("refuses a body of thousands of different names, and takes one of as many members of a few names", () => {
  const bodyOf = (nameOf: (index: number) => string) =>
    Buffer.from(
      JSON.stringify({ list: Array.from({ length: 10_000 }, (_, at) => ({ [nameOf(at)]: "a:b" })) }),
    );
  expect(() => ensureParsable(bodyOf((at) => `name ${at}`))).toThrow(HttpError);
  expect(() => ensureParsable(bodyOf((at) => `name ${at % 20}`))).not.toThrow();
});

it("names all that a kind, or a number of a list, may be", () => {
  const form = z.object({
    gate: z.discriminatedUnion("kind", [
      z.object({ kind: z.literal("height") }),
      z.object({ kind: z.literal("slack") }),
    ]),
    hours: z.union([1, 2, 3].map((hour) => z.literal(hour))).optional(),
  });
  const found = (input: unknown) => issuesIn(() => checkerOf(form, "body")(input));
  const kind = (value: unknown) => found({ gate: value });
  expect(kind({ kind: "foo" })).toEqual([
    {
      type: "literal_error",
      loc: ["body", "gate", "kind"],
      msg: "Input should be 'height' or 'slack'",
      ctx: { expected: "'height' or 'slack'" },
    },
  ]);
  expect(kind({})).toMatchObject([{ type: "missing", loc: ["body", "gate", "kind"] }]);
  expect(kind({ kind: ["height"] })).toMatchObject([{ type: "literal_error" }]);
  expect(kind(5)).toMatchObject([{ type: "model_attributes_type", loc: ["body", "gate"] }]);
  expect(found({ gate: { kind: "slack" }, hours: 4 })).toMatchObject([{ msg: "Input should be 1, 2 or 3" }]);
});

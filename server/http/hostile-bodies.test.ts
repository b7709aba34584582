import { expect, it } from "vitest";
import { z } from "zod";
import { mapRequest } from "#lib/contract/map2d.ts";
import { pointRequest } from "#lib/contract/point.ts";
import { requests } from "#lib/contract/wire-schemas.ts";
import { seeded } from "#test/seeded.ts";
import { HttpError, type ValidationIssue } from "./reply.ts";
import { bodyReader, checkerOf, parseJsonBody } from "./validation.ts";

/** Bodies of each schema. */
const BODIES = 3_000;

interface JsonSchema {
  type?: string;
  properties?: Record<string, JsonSchema>;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  const?: unknown;
  enum?: string[];
  format?: string;
  minimum?: number;
  maximum?: number;
  minItems?: number;
}

/** What reaches code that compares, measures, converts or copies a value without knowing it. */
const hostile: readonly unknown[] = [
  null,
  true,
  "",
  "wind",
  "35",
  "2026-01-01T00:00:00Z",
  "\ud800",
  "\0",
  "x".repeat(300),
  0,
  -0,
  1e308,
  Number.MAX_SAFE_INTEGER,
  [],
  {},
  [[]],
  [null],
  { length: {} },
  { length: { toString: 1 } },
  { length: { valueOf: { valueOf: 1 } } },
  { length: 3 },
  { size: { toString: 1 } },
  { toString: 1 },
  { valueOf: 1 },
  { toJSON: 1 },
  { constructor: { prototype: 1 } },
  { includes: 1, isWellFormed: 1, entries: 1 },
  JSON.parse('{"__proto__":{"length":{"toString":1}}}'),
  JSON.parse('{"__proto__":null,"hasOwnProperty":0}'),
];

/** Values near what a schema accepts: half of them valid, the others changed in any place. */
function bodies(seed: number) {
  const random = seeded(seed);
  const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!;
  const valueFor = (schema: JsonSchema, rate: number): unknown => {
    if (random() < rate) return pick(hostile);
    const union = schema.anyOf ?? schema.oneOf;
    if (union) return valueFor(pick(union), rate);
    if (schema.const !== undefined) return schema.const;
    if (schema.enum) return pick(schema.enum);
    if (schema.type === "object") {
      const fields = Object.entries(schema.properties ?? {}).filter(() => random() > rate / 2);
      const value = Object.fromEntries(fields.map(([name, field]) => [name, valueFor(field, rate)]));
      return random() < rate ? { ...value, [pick(["length", "extra", "toString"])]: pick(hostile) } : value;
    }
    if (schema.type === "array") {
      const length = (schema.minItems ?? 0) + Math.floor(random() * 3);
      return Array.from({ length }, () => valueFor(schema.items ?? {}, rate));
    }
    if (schema.type === "boolean") return random() < 0.5;
    if (schema.type === "number") {
      const { minimum = -1000, maximum = 1000 } = schema;
      return minimum + (maximum - minimum) * random();
    }
    return schema.format === "date-time" ? "2026-01-01T00:00:00Z" : "name";
  };
  return (schema: JsonSchema) => valueFor(schema, pick([0, 0.02, 0.1, 0.3]));
}

/** Valid bodies of schemas whose fields depend on each other: half of the tries change one field of them. */
const passage = {
  route: [
    { latitude: 40, longitude: -60 },
    { latitude: 41, longitude: -60 },
  ],
  departure: "2026-01-01T00:00:00Z",
  vessel: { kind: "fixed", speed_kt: 10 },
};
const examples: Readonly<Record<string, object>> = {
  FileRequest: {
    area: { type: "box", latitude: [40, 41], longitude: [-60, -59] },
    variables: ["wind"],
    from: "2026-01-01T00:00:00Z",
    to: "2026-01-01T00:00:00Z",
  },
  PassageRequest: passage,
  OptimiseRequest: passage,
  WatchRequest: {
    name: "name",
    question: {
      kind: "place",
      latitude: 48,
      longitude: -5,
      window_hours: 48,
      join: "any",
      conditions: [{ quantity: "gust_kt", over: 30 }],
    },
  },
  WorkabilityRequest: {
    area: { type: "point", latitude: 48, longitude: -5 },
    from: "2026-01-01T00:00:00Z",
    to: "2026-01-02T00:00:00Z",
    limits: [{ quantity: "Winds_10m_Intensity", max: 10 }],
  },
  ChannelRequest: { kind: "webhook", target: "https://example.org/alerts" },
};

/** @param body A generated one, of which one field is taken. */
function changedExample(name: string, body: unknown, count: number): unknown {
  const example = examples[name];
  const fields = Object.entries(body ?? {});
  if (!example || fields.length === 0 || count % 2 === 0) return body;
  const [field, value] = fields[count % fields.length]!;
  return { ...example, [field]: value };
}

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

it.each(Object.entries<z.ZodType>(requests))(
  "answers any body of %s with a value or with 422",
  (name, schema) => {
    const check = checkerOf(schema, "body");
    const json = z.toJSONSchema(schema, { io: "input" }) as JsonSchema;
    const make = bodies(name.length);
    let accepted = 0;
    for (let count = 0; count < BODIES; count++) {
      // What JSON cannot hold is left out, as on the wire.
      const made = changedExample(name, make(json), count);
      const body = parseJsonBody(Buffer.from(JSON.stringify(made) ?? "null"));
      const issues = issuesOf(check, body);
      if (!issues) accepted++;
      for (const { type, loc, msg } of issues ?? []) {
        expect(type).toMatch(/^[a-z_]+$/);
        expect(loc[0]).toBe("body");
        expect(msg).not.toMatch(/undefined|NaN|\[object/);
      }
    }
    // Both outcomes were tried.
    expect(accepted).toBeGreaterThan(10);
    expect(accepted).toBeLessThan(0.9 * BODIES);
  },
);

it.each([[{ length: {} }], [{ length: 3 }]])("refuses %j for a list by its type alone", (value: object) => {
  const check = checkerOf(pointRequest(10), "body");
  expect(issuesOf(check, { points: value, variables: value })).toEqual([
    { type: "list_type", loc: ["body", "points"], msg: "Input should be a valid list" },
    { type: "list_type", loc: ["body", "variables"], msg: "Input should be a valid list" },
  ]);
});

it("refuses a list beyond any bound in words, also where a list is one of several forms of a value", async () => {
  const long = Array.from({ length: 40_000 }, () => "x");
  const box = { latitude: [0, 1], longitude: [0, 1], timestamp: long };
  const bytes = Buffer.from(JSON.stringify({ bounding_boxes: [box], variable: "wind" }));
  const read = async () => bodyReader(mapRequest).read(bytes, 0);
  const reply = await read().catch((error: HttpError) => error.reply);
  expect(reply).toMatchObject({ status: 422, body: expect.stringContaining('"timestamp"') });
});

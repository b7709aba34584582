import { expect, it } from "vitest";
import { apiDocument } from "#server/operations/operations.ts";

interface Properties {
  properties: Record<string, { items?: { enum?: string[] } }>;
}

const document = apiDocument("1.2.3") as {
  openapi: string;
  paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, { headers?: object }>; security?: [] }>
  >;
  components: {
    schemas: Record<string, Properties>;
    requestBodies: Record<string, { content: { "application/json": { schema: Properties } } }>;
  };
};

it("resolves every reference of the document", () => {
  const text = JSON.stringify(document);
  const references = [...text.matchAll(/"\$ref":"#\/([^"]+)"/g)].map((match) => match[1]!);
  expect(references.length).toBeGreaterThan(10);
  for (const reference of references) {
    const target = reference
      .split("/")
      .reduce<unknown>((at, key) => (at as Record<string, unknown>)?.[key], document);
    expect(target, reference).toBeTypeOf("object");
  }
});

it("lists every error of an operation with a key, with the headers of its rate limit", () => {
  const { responses } = document.paths["/MetOcean"]!.post!;
  expect(Object.keys(responses).sort()).toEqual([
    ...["200", "400", "401", "403", "408", "409", "413", "415", "422", "429", "503", "507"],
  ]);
  for (const status of ["200", "422", "429"]) expect(responses[status]?.headers).toHaveProperty("RateLimit");
  expect(responses["429"]?.headers).toHaveProperty("Retry-After");
});

it("outside bodies of requests, a field with a default is always there: generators of types make it required", () => {
  const optional = (schema: unknown, at: string): string[] => {
    if (typeof schema !== "object" || schema === null) return [];
    const { properties = {}, required = [] } = schema as {
      properties?: Record<string, object>;
      required?: string[];
    };
    return [
      ...Object.entries(properties).flatMap(([name, field]) =>
        "default" in field && !required.includes(name) ? [`${at}/${name}`] : [],
      ),
      ...Object.entries(schema).flatMap(([name, part]) => optional(part, `${at}/${name}`)),
    ];
  };
  expect(optional(document.components.schemas, "")).toEqual([]);
  const { schema } = document.components.requestBodies.PointRequest!.content["application/json"];
  expect(optional(schema, "")).toContain("/wind_height");
});

it("gives each operation its own id, and the open ones no key", () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  expect(document.paths["/limits"]!.get!.security).toEqual([]);
});

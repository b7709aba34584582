import { expect, it } from "vitest";
import { variableNames } from "#lib/catalog/variables.ts";
import { openapiDocument } from "./openapi.ts";

const document = openapiDocument("1.2.3") as {
  openapi: string;
  paths: Record<
    string,
    Record<string, { operationId: string; responses: Record<string, { headers?: object }>; security?: [] }>
  >;
  components: { schemas: Record<string, { properties: Record<string, { items?: { enum?: string[] } }> }> };
};

it("row 43: every reference of the document leads somewhere", () => {
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

it("row 43: tells every error of a keyed operation, with the headers of its limit", () => {
  const { responses } = document.paths["/MetOcean"]!.post!;
  expect(Object.keys(responses).sort()).toEqual(["200", "401", "403", "413", "415", "422", "429", "503"]);
  for (const status of ["200", "422", "429"]) expect(responses[status]?.headers).toHaveProperty("RateLimit");
  expect(responses["429"]?.headers).toHaveProperty("Retry-After");
});

it("takes the variables from the catalog", () => {
  const request = document.components.schemas.PointRequest!;
  expect(request.properties.variables?.items?.enum).toEqual(variableNames);
});

it("has one name an operation, and no key for the open ones", () => {
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  expect(new Set(operations.map(({ operationId }) => operationId)).size).toBe(operations.length);
  expect(document.paths["/limits"]!.get!.security).toEqual([]);
});

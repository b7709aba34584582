import { expect, it } from "vitest";
import { apiDocument } from "#server/operations/operations.ts";
import { describeApi } from "./described-api.ts";

const { operations, schemas } = describeApi(apiDocument(""));
const operation = (slug: string) => operations.find((candidate) => candidate.slug === slug);
const fieldsOf = (schema: string) => schemas.find(({ name }) => name === schema)?.fields ?? [];

it("describes what an operation takes, and everything that it may answer", () => {
  const points = operation("post-metocean");
  expect(points).toMatchObject({ method: "POST", needsKey: true, body: { schema: "PointRequest" } });
  expect(points?.replies.find(({ status }) => status === "200")?.schemas).toEqual([
    "PointResponse",
    "Failure",
  ]);
  expect(points?.formats).toContain("text/csv");
  expect(points?.rate).toEqual({ group: "data", limit: "10 per 1 minute" });
  expect(operation("get-limits")?.needsKey).toBe(false);
});

it("says where the id in a path comes from, and which replies have one", () => {
  const [id] = operation("delete-watches-id")!.parameters;
  expect(id!.source.map(({ slug, pointer }) => `${slug} ${pointer}`)).toEqual([
    "get-watches /results/0/id",
    "post-watches /id",
  ]);
  expect(operation("post-watches")!.gives).toEqual(["/id"]);
  expect(operation("get-storms-id-danger")!.parameters[0]!.source[0]).toMatchObject({
    target: "/storms?provider=jtwc",
  });
});

it("describes the rules of each field, nested ones and those of each kind included", () => {
  const field = (path: string) => fieldsOf("PointRequest").find((candidate) => candidate.path === path);
  expect(field("points[].latitude")).toMatchObject({
    type: "number",
    required: true,
    rules: ["at least -90", "at most 90"],
  });
  expect(field("wind_height")).toMatchObject({
    required: false,
    rules: ["at least 10", "at most 100", "default 10"],
  });
  expect(field("variables")?.rules.join()).toContain("one of current, wind");
  const paths = fieldsOf("WatchRequest").map(({ path }) => path);
  expect(paths).toContain("question(place).latitude");
  expect(paths).toContain("question(route).route[].latitude");
});

import { expect, it } from "vitest";
import { apiDocument } from "#server/operations/list.ts";
import { describeApi } from "./described-api.ts";

const { operations, schemas } = describeApi(apiDocument(""));

it("describes what an operation takes, and everything that it may answer", () => {
  const operation = operations.find(({ path }) => path === "/MetOcean");
  expect(operation).toMatchObject({ method: "POST", needsKey: true, body: "PointRequest" });
  expect(operation?.replies.find(({ status }) => status === "200")?.schemas).toEqual([
    "PointResponse",
    "Failure",
  ]);
  expect(operations.find(({ path }) => path === "/limits")?.needsKey).toBe(false);
});

it("describes the rules of each field, nested ones included", () => {
  const fields = schemas.find(({ name }) => name === "PointRequest")?.fields ?? [];
  const field = (path: string) => fields.find((candidate) => candidate.path === path);
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
});

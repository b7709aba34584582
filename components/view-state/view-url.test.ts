import { expect, it } from "vitest";
import { readView } from "./view-url.ts";

it.each([
  ["", null],
  ["?model=gfs", "gfs"],
  ["?model=best", null],
  ["?model=a/b", null],
])("a link with %j shows the model %j", (link, model) => {
  expect(readView(link).model).toBe(model);
});

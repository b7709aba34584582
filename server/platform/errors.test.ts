import { expect, it } from "vitest";
import { describeFailure, ProcessingError, StoreUnavailableError } from "./errors.ts";

it("tells operators why a store failed, and shows for other errors the message that callers see", () => {
  const away = (cause: Error) => describeFailure(new StoreUnavailableError(undefined, { cause }));
  expect(away(new Error("connect ECONNREFUSED 127.0.0.1:9"))).toBe(
    "The object store cannot be reached: connect ECONNREFUSED 127.0.0.1:9",
  );
  expect(away(Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }))).toBe(
    "The object store cannot be reached: ECONNREFUSED",
  );
  expect(describeFailure(new StoreUnavailableError())).toBe("The object store cannot be reached");
  expect(describeFailure(new ProcessingError("No run", { cause: new Error("secret") }))).toBe("No run");
  expect(describeFailure("text")).toBe("text");
});

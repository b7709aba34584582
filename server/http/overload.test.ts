import { expect, it } from "vitest";
import { UnavailableError } from "#server/platform/errors.ts";
import { advised, tooBusy, tooLate } from "./overload.ts";

it("a refusal says when to try again, and how a task is sent where that has more time", () => {
  expect(tooBusy(300)).toMatchObject({
    retryAfter: 1,
    message: "The service is busy. Please try again in a second.",
  });
  expect(tooBusy(1e6)).toMatchObject({ retryAfter: 60 });
  expect(advised(tooLate(5), 'with "async": true')).toMatchObject({
    retryAfter: 30,
    message:
      "The answer was not ready within 5 seconds. Please ask for less, or try again later. " +
      'A task has more time: send it with "async": true.',
  });
});

it("what has no task, and other outages, are not advised", () => {
  const late = tooLate(5);
  expect(advised(late, undefined)).toBe(late);
  const away = new UnavailableError("The archive is away", 5);
  expect(advised(away, "to /MetOcean/async")).toBe(away);
});

import { expect, it } from "vitest";
import { renderInPage } from "#test/render.tsx";
import { ErrorMessage } from "./error-message.tsx";

it("announces the failure alone, not the seconds that count down or what its buttons say", () => {
  const error = Object.assign(new Error("Too many requests."), { status: 429, retryAfter: 23 });
  const html = renderInPage(<ErrorMessage error={error} onRetry={() => undefined} />);
  expect(html).toContain('<p role="alert">Too many requests.</p>');
  expect(html).toContain("Next try in 23 s.");
  expect(html).toMatch(/Copy details<\/button><span role="status"/);
});

import { expect, it } from "vitest";
import { pageHeaders } from "./page-headers.ts";

const directives = (policy: string) =>
  new Map(policy.split("; ").map((part) => [part.split(" ")[0], part.split(" ").slice(1)] as const));

it("a page runs only our own scripts, contacts no other host, and cannot be framed", () => {
  const policy = directives(pageHeaders(false).contentSecurityPolicy);
  expect(policy.get("script-src")).toEqual(["'self'", expect.stringMatching(/^'nonce-[\w+/]{22}=='$/)]);
  expect(policy.get("worker-src")).toEqual(["'self'", "blob:"]);
  expect(policy.get("frame-ancestors")).toEqual(["'none'"]);
  for (const sources of policy.values()) expect(sources.join(" ")).not.toMatch(/https?:|\*|unsafe-eval/);
});

it("a nonce is used once", () => {
  expect(pageHeaders(false).contentSecurityPolicy).not.toBe(pageHeaders(false).contentSecurityPolicy);
});

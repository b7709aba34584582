import { expect, it } from "vitest";
import { policyWithNonce, strictPolicy } from "./page-headers.ts";

const directives = (policy: string) =>
  Object.fromEntries(policy.split("; ").map((part) => [part.split(" ")[0]!, part.split(" ").slice(1)]));

it("a page runs only our own scripts and those with its nonce, contacts no other host, and cannot be framed", () => {
  const policy = directives(policyWithNonce("abc="));
  expect(policy).toMatchObject({
    "script-src": ["'self'", "'nonce-abc='"],
    "style-src": ["'self'", "'nonce-abc='"],
    "worker-src": ["'self'", "blob:"],
    "frame-ancestors": ["'none'"],
  });
  for (const sources of Object.values(policy))
    expect(sources.join(" ")).not.toMatch(/https?:|\*|unsafe-eval/);
  expect(directives(strictPolicy)["script-src"]).toEqual(["'self'"]);
});

it("a page fetches tiles from the hosts of the overlays and from no others, and runs nothing of theirs", () => {
  const origins = ["https://tiles.example.org", "http://127.0.0.1:8081"];
  const policy = directives(policyWithNonce("abc=", origins));
  expect(policy["connect-src"]).toEqual(["'self'", "blob:", ...origins]);
  expect({ ...policy, "connect-src": undefined }).toEqual({
    ...directives(policyWithNonce("abc=")),
    "connect-src": undefined,
  });
});

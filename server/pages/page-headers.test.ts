import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { policyOfPage, strictPolicy } from "./page-headers.ts";

const directives = (policy: string) =>
  new Map(policy.split("; ").map((part) => [part.split(" ")[0], part.split(" ").slice(1)] as const));

const sha256 = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const html =
  '<html><script src="/a.js" async=""></script><script>start()</script><style id="x">p{}</style>' +
  '<script id="_R_">\nself.f.push("<b>")\n</script></html>';

it("a page runs only our own scripts and those that it was made with, contacts no other host, and cannot be framed", () => {
  const policy = directives(policyOfPage(html));
  expect(policy.get("script-src")).toEqual(["'self'", sha256("start()"), sha256('\nself.f.push("<b>")\n')]);
  expect(policy.get("style-src")).toEqual(["'self'", sha256("p{}")]);
  expect(policy.get("worker-src")).toEqual(["'self'", "blob:"]);
  expect(policy.get("frame-ancestors")).toEqual(["'none'"]);
  for (const sources of policy.values()) expect(sources.join(" ")).not.toMatch(/https?:|\*|unsafe-eval/);
});

it("other files run no script of their own", () => {
  expect(directives(strictPolicy).get("script-src")).toEqual(["'self'"]);
});

import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { policyOfPage, strictPolicy } from "./page-headers.ts";

const directives = (policy: string) =>
  Object.fromEntries(policy.split("; ").map((part) => [part.split(" ")[0]!, part.split(" ").slice(1)]));

const sha256 = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const html =
  '<html><script src="/a.js" async=""></script><script>start()</script><style id="x">p{}</style>' +
  '<script id="_R_">\nself.f.push("<b>")\n</script></html>';

it("a page runs only our own scripts and those that it was made with, contacts no other host, and cannot be framed", () => {
  const policy = directives(policyOfPage(html));
  expect(policy).toMatchObject({
    "script-src": ["'self'", sha256("start()"), sha256('\nself.f.push("<b>")\n')],
    "style-src": ["'self'", sha256("p{}")],
    "worker-src": ["'self'", "blob:"],
    "frame-ancestors": ["'none'"],
  });
  for (const sources of Object.values(policy))
    expect(sources.join(" ")).not.toMatch(/https?:|\*|unsafe-eval/);
  expect(directives(strictPolicy)["script-src"]).toEqual(["'self'"]);
});

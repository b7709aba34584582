import { expect, it } from "vitest";
import { NoSpaceError } from "./errors.ts";
import { s3Failure } from "./s3-failure.ts";

const failure = (name: string, httpStatusCode?: number) =>
  s3Failure(Object.assign(new Error(name), { name, $metadata: { httpStatusCode } }));

it.each([
  ["AccessDenied", 403],
  // A reply without a body, as to HEAD, has no name of its own.
  ["403", 403],
  ["NoSuchBucket", 404],
  ["PermanentRedirect", 301],
  ["AuthorizationHeaderMalformed", 400],
  ["ExpiredToken", 400],
])("tells the operator that the store refuses it, and why: %s", (name, status) => {
  expect(failure(name, status)).toMatchObject({
    message: `The object store refuses this service (${name})`,
    retryAfter: 5,
  });
});

it("tells the operator that credentials are missing, for which no store was asked", () => {
  expect(failure("CredentialsProviderError")).toMatchObject({
    message: "There are no credentials for the object store",
  });
});

it("tells apart what is absent, a range behind the end, a full store and one that does not answer", () => {
  expect([failure("NoSuchKey", 404), failure("NotFound", 404), failure("416", 416)]).toEqual([
    "missing",
    "missing",
    "beyond",
  ]);
  expect(failure("XMinioStorageFull", 507)).toBeInstanceOf(NoSpaceError);
  for (const away of [failure("SlowDown", 503), failure("InternalError", 500), failure("Error")])
    expect(away).toMatchObject({ message: "The object store cannot be reached" });
});

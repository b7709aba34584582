import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { environmentOf, ignoredBy, only, parseDockerfile } from "./dockerfile.ts";

const root = path.join(import.meta.dirname, "../..");
const [build, image] = parseDockerfile(readFileSync(path.join(root, "deploy/Dockerfile"), "utf8"));

it("the image runs the server itself, without privileges, and checks its health with a program of its own", () => {
  expect(build?.name).toBe("build");
  expect(only(image!, "USER")).toBe("node");
  expect(JSON.parse(only(image!, "CMD"))).toEqual(["node", "server/main.ts"]);
  expect(only(image!, "HEALTHCHECK")).toMatch(/CMD \["node", "deploy\/healthcheck.mjs"\]$/);
  expect(environmentOf(image!)).toEqual({
    NODE_ENV: "production",
    HOST: "0.0.0.0",
    PORT: "3000",
    DATA_DIR: "/data",
  });
  const { engines } = JSON.parse(readFileSync(path.join(root, "package.json"), "utf8"));
  expect(engines.node).toBe(">=22.18");
  expect(
    readFileSync(path.join(root, "deploy/Dockerfile"), "utf8").match(/^FROM node:24-\S+-slim/gm),
  ).toHaveLength(2);
});

it("an unknown instruction of a Dockerfile is an error", () => {
  expect(() => parseDockerfile("FROM node\nONBUILD RUN x")).toThrow("ONBUILD");
});

it("files that only tests need, and generated files, are not sent to the build", () => {
  const isIgnored = ignoredBy(readFileSync(path.join(root, "deploy/Dockerfile.dockerignore"), "utf8"));
  for (const file of [
    ...["test/http.ts", "server/main.test.ts", "components/a/b.test.tsx", ".git", "node_modules/x/y.js"],
    ...["server/ingest/fixtures/a.grib2", "prisma/generated/client.ts", ".next/BUILD_ID", ".data/key-pepper"],
    ...[".env", ".env.local", "deploy/.env", "deploy/.env.production"],
  ])
    expect([file, isIgnored(file)]).toEqual([file, true]);
  for (const file of ["server/main.ts", "lib/contract/point.ts", "app/layout.tsx", "prisma/schema.prisma"])
    expect([file, isIgnored(file)]).toEqual([file, false]);
});

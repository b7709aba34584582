import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { rateGroups } from "#server/http/authenticate.ts";
import { testContext, testRequestContext } from "#test/http.ts";
import { ask, connectContext } from "#test/send.ts";
import { operations } from "./operations.ts";

const app = path.resolve(import.meta.dirname, "../../app");

const routeFiles = readdirSync(app, { recursive: true, encoding: "utf8" }).filter(
  (file) => path.basename(file) === "route.ts",
);

/** `(api)/task/[task_id]/route.ts` as `/task/{task_id}`. */
const patternOf = (file: string) =>
  `/${path.dirname(file).split(path.sep).slice(1).join("/")}`.replaceAll(/\[(\w+)\]/g, "{$1}");

it("every operation has its Next route file, and every route file its operation", () => {
  const patterns = [...new Set(operations.map((operation) => operation.path))];
  expect(routeFiles.map(patternOf).sort()).toEqual(patterns.sort());
});

it("every route file exports the handlers of the app", () => {
  for (const file of routeFiles) {
    expect(readFileSync(path.join(app, file), "utf8"), file).toBe(
      'export { DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT } from "#server/operations/next-app.ts";\n',
    );
  }
});

it("the route files of published operations are in (api), the others in (internal)", () => {
  const published = new Set(operations.filter(({ docs }) => docs).map((operation) => operation.path));
  for (const file of routeFiles) {
    // Health checks are for operators: their route files are in (internal), although the documentation describes them.
    if (/\/(healthz|readyz)$/.test(patternOf(file))) continue;
    expect(file.startsWith("(api)"), file).toBe(published.has(patternOf(file)));
  }
});

it("no two operations share a method and a path", () => {
  const names = operations.map((operation) => `${operation.method} ${operation.path}`);
  expect(new Set(names).size).toBe(names.length);
});

/** These operations supervise a process: their replies are small, and any number of load balancers requests them. */
const uncounted = ["GET /healthz", "GET /readyz"];

/** Programs that ask this operation show a text only from a reply of 200. */
const saysItInWords = "GET /getmygribs2.php";

it.each(
  operations
    .filter(({ needsKey }) => !needsKey)
    .map((operation) => [`${operation.method} ${operation.path}`, operation]),
)("%s, which needs no key, is counted for the address of its caller", async (name, { method, path }) => {
  const request = testRequestContext();
  const counted: string[] = [];
  const context = testContext({
    ...request,
    limiter: {
      take: (bucket: string) => {
        counted.push(bucket);
        return { allowed: false, remaining: 0, resetSeconds: 1, resetAt: 0 };
      },
    },
    guests: { mode: "map", limit: rateGroups.tasks, comesFromPage: () => true },
    keyRequests: { publicUrl: "https://weather.example.org" },
    opengribs: { limit: rateGroups.tasks, files: {} },
    ready: async () => ({}),
    draining: new AbortController().signal,
  });
  connectContext(context);
  const headers = { "x-api-key": undefined, "sec-fetch-site": "same-origin" };
  const body = method === "POST" ? {} : undefined;
  const { status } = await ask(method, path.replaceAll(/\{\w+\}/g, "x"), {
    headers,
    body,
    address: "192.0.2.1",
  });
  if (uncounted.includes(name)) expect([status, counted]).toEqual([200, []]);
  else {
    expect(status).toBe(name === saysItInWords ? 200 : 429);
    expect(counted).toEqual([expect.stringMatching(/:address:192\.0\.2\.1$/)]);
  }
});

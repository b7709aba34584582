import { expect, it } from "vitest";
import { type Client, createClient } from "./client.ts";
import * as errors from "./errors.ts";
import type { FileNow } from "./operations.ts";

const answering = (reply: (url: string) => Response) =>
  createClient({ url: "", key: "key", retry: false, fetch: async (url) => reply(String(url)) });

const points = { points: [], variables: ["wind" as const] };
const failure = (reply: Response) =>
  answering(() => reply)
    .points(points)
    .catch((error: unknown) => error);

it.each([
  [401, errors.AuthenticationError],
  [403, errors.AuthenticationError],
  [404, errors.NotFoundError],
  [409, errors.ConflictError],
  [410, errors.GoneError],
  [413, errors.TooLargeError],
  [429, errors.RateLimitError],
  [503, errors.UnavailableError],
  [507, errors.StorageFullError],
  [405, errors.ReplyError],
])("%i is a class of its own, with what the service says", async (status, kind) => {
  const body = status === 429 ? { error: "Out of order" } : { detail: "Out of order" };
  const error = await failure(Response.json(body, { status, headers: { "retry-after": "3" } }));
  expect([error instanceof kind, error instanceof errors.ReplyError]).toEqual([true, true]);
  expect(error).toMatchObject({ name: kind.name, status, message: "Out of order", retryAfter: 3 });
});

const issue = { type: "missing", loc: ["body", "points", 0, "latitude"], msg: "Field required" };

it.each([
  [
    "422 with each fault",
    Response.json({ detail: [issue] }, { status: 422 }),
    { name: "ValidationError", issues: [issue], message: "points 0 latitude: Field required" },
  ],
  [
    "a failure envelope with its task",
    Response.json({ task_id: "a", status: "FAILURE", error: "No way by water" }),
    { name: "FailureError", message: "No way by water", taskId: "a" },
  ],
  ["the page of a captive portal", new Response("<html>"), { name: "UnexpectedReplyError" }],
  [
    "that of a proxy",
    new Response("<html>", { status: 502 }),
    { name: "ReplyError", status: 502, message: "The service answered 502" },
  ],
])("is thrown: %s", async (_, reply, error) => expect(await failure(reply)).toMatchObject(error));

it.each([
  ["JSON", (client: Client, signal: AbortSignal) => client.points(points, { signal })],
  ["a table", (client: Client, signal: AbortSignal) => client.pointsTable(points, { signal })],
])("an abort while %s arrives throws its reason; a connection that breaks is an error", async (_, ask) => {
  const controller = new AbortController();
  const headers = { "content-type": "application/vnd.apache.arrow.stream" };
  const endedBy = (reason: () => unknown) => {
    const body = () => new ReadableStream({ pull: (stream) => stream.error(reason()) });
    return expect(
      ask(
        answering(() => new Response(body(), { headers })),
        controller.signal,
      ),
    ).rejects;
  };
  await endedBy(() => new TypeError("terminated")).toMatchObject({ name: "ConnectionError" });
  await endedBy(() => {
    controller.abort(new Error("no longer wanted"));
    return controller.signal.reason;
  }).toThrow("no longer wanted");
});

const area: FileNow = {
  area: { type: "box", latitude: [0, 1], longitude: [0, 1] },
  variables: ["wind"],
  from: "2026-01-01T00:00:00Z",
  to: "2026-01-01T00:00:00Z",
};

it.each([
  ["a file of a task", (client: Client) => client.tasks.open("a").file("text/csv")],
  ["a file of points", (client: Client) => client.pointsFile(points, "text/csv")],
  ["a file of an area", (client: Client) => client.files.get({ ...area, format: "netcdf" })],
])("neither a failure nor the page of a captive portal is %s", async (_, fileOf) => {
  const end = 'event: end\ndata: {"status":"SUCCESS","progress":1}\n\n';
  const of = (reply: Response) =>
    expect(fileOf(answering((url) => (url.endsWith("/events") ? new Response(end) : reply)))).rejects;
  const failed = Response.json({ task_id: "a", status: "FAILURE", error: "Out of memory" });
  await of(failed).toMatchObject({ name: "FailureError", message: "Out of memory" });
  const page = new Response("<html>", { headers: { "content-type": "text/html" } });
  for (const other of [page, Response.json({})])
    await of(other).toMatchObject({ name: "UnexpectedReplyError" });
  const state = answering(() => new Response("<html>")).tasks.state("a");
  await expect(state).rejects.toMatchObject({ name: "UnexpectedReplyError" });
});

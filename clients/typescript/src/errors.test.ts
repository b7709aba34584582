import { expect, it } from "vitest";
import { type Client, createClient } from "./client.ts";
import * as errors from "./errors.ts";
import type { FileNow } from "./operations.ts";

const answering = (reply: Response) =>
  createClient({ url: "", key: "key", retry: false, fetch: async () => reply });

const area: FileNow = {
  area: { type: "box", latitude: [0, 1], longitude: [0, 1] },
  variables: ["wind"],
  from: "2026-01-01T00:00:00Z",
  to: "2026-01-01T00:00:00Z",
};

const points = { points: [], variables: ["wind" as const] };

const failure = (reply: Response) =>
  answering(reply)
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
  [500, errors.ReplyError],
])("%i is a class of its own, with what the service says", async (status, kind) => {
  const body = status === 429 ? { error: "Out of order" } : { detail: "Out of order" };
  const error = await failure(Response.json(body, { status, headers: { "retry-after": "3" } }));
  expect(error).toBeInstanceOf(kind);
  expect(error).toBeInstanceOf(errors.ReplyError);
  expect(error).toMatchObject({ name: kind.name, status, message: "Out of order", retryAfter: 3 });
});

it("422 has each fault, and names them", async () => {
  const issue = { type: "missing", loc: ["body", "points", 0, "latitude"], msg: "Field required" };
  const error = await failure(Response.json({ detail: [issue] }, { status: 422 }));
  expect(error).toBeInstanceOf(errors.ValidationError);
  expect(error).toMatchObject({ issues: [issue], message: "points 0 latitude: Field required" });
});

it("a failure envelope is thrown, with its task", async () => {
  const error = await failure(Response.json({ task_id: "a", status: "FAILURE", error: "No way by water" }));
  expect(error).toBeInstanceOf(errors.FailureError);
  expect(error).toMatchObject({ message: "No way by water", taskId: "a" });
});

it("the page of a captive portal is no answer, with whatever status", async () => {
  expect(await failure(new Response("<html>"))).toBeInstanceOf(errors.UnexpectedReplyError);
  const proxy = await failure(new Response("<html>", { status: 502 }));
  expect(proxy).toMatchObject({ name: "ReplyError", status: 502, message: "The service answered 502" });
});

it.each([
  ["JSON", (client: Client, signal: AbortSignal) => client.points(points, { signal })],
  ["a table", (client: Client, signal: AbortSignal) => client.pointsTable(points, { signal })],
])("an abort while %s arrives throws its reason; a connection that breaks is an error", async (_, ask) => {
  const controller = new AbortController();
  const endedBy = (reason: () => unknown) => {
    const fetch = async () =>
      new Response(new ReadableStream({ pull: (stream) => stream.error(reason()) }), {
        headers: { "content-type": "application/vnd.apache.arrow.stream" },
      });
    return ask(createClient({ url: "", retry: false, fetch }), controller.signal);
  };
  const broken = endedBy(() => new TypeError("terminated"));
  await expect(broken).rejects.toBeInstanceOf(errors.ConnectionError);
  const aborted = endedBy(() => {
    controller.abort(new Error("no longer wanted"));
    return controller.signal.reason;
  });
  await expect(aborted).rejects.toThrow("no longer wanted");
});

it("the page of a captive portal is no state of a task", async () => {
  const state = answering(new Response("<html>")).tasks.state("a");
  await expect(state).rejects.toBeInstanceOf(errors.UnexpectedReplyError);
});

const files = {
  "of a task": (client: Client) => client.tasks.open("a").file("text/csv"),
  "of points": (client: Client) => client.pointsFile(points, "text/csv"),
  "of an area": (client: Client) => client.files.get({ ...area, format: "netcdf" }),
};

it.each(Object.entries(files))(
  "neither a failure nor the page of a captive portal is a file %s",
  async (_, fileOf) => {
    const of = (reply: () => Response) =>
      fileOf(
        createClient({
          url: "",
          retry: false,
          fetch: async (url) =>
            String(url).endsWith("/events")
              ? new Response('event: end\ndata: {"status":"SUCCESS","progress":1}\n\n')
              : reply(),
        }),
      );
    const failed = of(() => Response.json({ task_id: "a", status: "FAILURE", error: "Out of memory" }));
    await expect(failed).rejects.toMatchObject({ name: "FailureError", message: "Out of memory" });
    const page = () => new Response("<html>", { headers: { "content-type": "text/html" } });
    await expect(of(page)).rejects.toBeInstanceOf(errors.UnexpectedReplyError);
    await expect(of(() => Response.json({}))).rejects.toBeInstanceOf(errors.UnexpectedReplyError);
  },
);

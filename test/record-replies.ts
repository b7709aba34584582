/**
 * Records the replies of a running server to a fixed set of requests, to compare two versions byte by byte: `node
 * test/record-replies.ts http://127.0.0.1:3000 KEY 2026-09-15T12:00:00Z > replies.txt`, then diff. Identifiers and
 * durations are replaced by placeholders, because they differ from run to run. Start both servers with an empty
 * DATA_DIR and the same METOCEAN_NOW.
 */
import { createHash } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { pointVariablesOfRequests, requestsAt } from "./recorded-requests.ts";

const [origin = "", key = "", now = ""] = process.argv.slice(2);
if (!origin || !key || !now) {
  console.error("usage: node test/record-replies.ts <origin> <key> <weather time>");
  process.exit(2);
}

/** Headers that differ from reply to reply. */
const volatileHeaders = new Set([
  "date",
  "x-request-id",
  "x-ratelimit-remaining",
  "x-ratelimit-reset",
  "ratelimit",
  "ratelimit-remaining",
  "ratelimit-reset",
  "retry-after",
  "keep-alive",
]);

/** Bodies longer than this are recorded by their hash, characters. */
const MAX_TEXT = 4000;

/** ETags of results contain the id of their task. */
const taskEtag = /\/task(\/|s\b)/;

const withoutIds = (text: string) =>
  text
    .replace(/[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g, "<uuid>")
    .replace(/"execution_time":\s*"[^"]*"/g, '"execution_time":"<duration>"')
    .replace(/"(created|started|ended|expires|updated|finished)(_at)?":\s*"[^"]*"/g, '"$1$2":"<time>"')
    .replace(/"result_bytes":\d+/g, '"result_bytes":"<bytes>"')
    .replace(/cursor=[\w-]+/g, "cursor=<cursor>")
    .replace(/nonce-[\w+/=]+/g, "nonce")
    .replace(/signed-frames\/[^/"]+/g, "signed-frames/<grant>");

let taskId = "";

for (const { method, path, headers, body } of requestsAt(now, pointVariablesOfRequests)) {
  const address = path.replace(":task_id", taskId);
  const reply = await send(method, address, { "x-api-key": key, ...headers }, body);
  const bytes = Buffer.from(await reply.arrayBuffer());
  const type = reply.headers.get("content-type") ?? "";
  const isText = /json|text|xml|csv|yaml/.test(type);
  const text = isText ? withoutIds(bytes.toString("utf8")) : "";
  if (reply.status === 202) taskId = (JSON.parse(bytes.toString("utf8")) as { task_id: string }).task_id;
  const shown = isText
    ? text.length > MAX_TEXT
      ? `sha256 ${sha256(text)} of ${text.length} characters`
      : text
    : `sha256 ${sha256(bytes)} of ${bytes.length} bytes`;
  // The length of compressed bytes depends on the durations and identifiers in them.
  const isVolatile = (name: string) =>
    volatileHeaders.has(name) ||
    (name === "etag" && taskEtag.test(path)) ||
    (name === "content-length" &&
      (reply.headers.has("content-encoding") || bytes.includes("execution_time")));
  const recorded = [...reply.headers].filter(([name]) => !isVolatile(name)).sort();
  console.log(
    `## ${method} ${path} ${JSON.stringify(headers)} ${JSON.stringify(body ?? null).slice(0, 300)}`,
  );
  console.log(reply.status, withoutIds(JSON.stringify(Object.fromEntries(recorded))));
  console.log(shown, "\n");
  if (reply.status === 202) await ended(taskId);
}

function sha256(content: string | Uint8Array): string {
  return createHash("sha256").update(content).digest("hex");
}

function send(
  method: string,
  path: string,
  headers: Record<string, string>,
  body: unknown,
): Promise<Response> {
  const text = body === undefined || typeof body === "string" ? body : JSON.stringify(body);
  const given = text === undefined ? headers : { "content-type": "application/json", ...headers };
  return fetch(origin + path, { method, headers: given, body: text, redirect: "manual" });
}

/** Waits until a task is no longer pending. */
async function ended(id: string): Promise<void> {
  for (let attempt = 0; attempt < 600; attempt++) {
    const reply = await send("GET", `/task/${id}`, { "x-api-key": key }, undefined);
    if (((await reply.json()) as { status: string }).status !== "PENDING") return;
    await delay(100);
  }
  throw new Error(`Task ${id} did not end within a minute`);
}

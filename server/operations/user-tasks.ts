import { z } from "zod";
import { listQuery, taskStates } from "#lib/contract/task.ts";
import type { Context } from "#server/context.ts";
import type { Reading } from "#server/http/endpoint.ts";
import { HttpError, invalidReply, jsonReply } from "#server/http/errors.ts";
import type { Reply } from "#server/http/exchange.ts";
import { listedForm, type Task } from "#server/tasks/task.ts";
import { readEndpoint } from "./app-context.ts";

const rules = { group: "tasks", query: listQuery } as const;

/** GET /user/tasks: the caller's tasks, newest first. */
export const userTasks = readEndpoint(rules, (reading) => page(reading));

/** GET /user/tasks/{state}: those in one state. */
export const userTasksInState = readEndpoint(rules, (reading) => {
  const state = z.enum(taskStates).safeParse(reading.request.params.state);
  if (!state.success) {
    const expected = "'PENDING', 'SUCCESS' or 'FAILURE'";
    throw new HttpError(
      invalidReply([
        { type: "enum", loc: ["path", "state"], msg: `Input should be ${expected}`, ctx: { expected } },
      ]),
    );
  }
  return page(reading, state.data);
});

async function page(
  { query, context, caller, request }: Reading<z.output<typeof listQuery>, Context>,
  state?: Task["status"],
): Promise<Reply> {
  const { store, reader } = context.tasks;
  const before = query.cursor === undefined ? undefined : readCursor(query.cursor);
  // One more than is shown tells whether there is a next page.
  const found = await store.list(caller.owner, state, query.limit + 1, before);
  const shown = found.slice(0, query.limit);
  const results = [];
  for (const task of shown) results.push(listedForm(task, await reader.position(task)));
  const last = found.length > shown.length ? shown.at(-1) : undefined;
  return jsonReply(200, { results }, { "cache-control": "no-store", ...(last && linkTo(last)) });

  function linkTo(task: Task): Record<string, string> {
    const next = new URLSearchParams({ limit: String(query.limit), cursor: writeCursor(task) });
    return { link: `<${request.path}?${next}>; rel="next"` };
  }
}

type Place = Pick<Task, "createdAt" | "id">;

function writeCursor({ createdAt, id }: Place): string {
  return Buffer.from(`${createdAt.getTime()}.${id}`).toString("base64url");
}

function readCursor(cursor: string): Place {
  const match = /^(\d{1,15})\.([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/.exec(
    Buffer.from(cursor, "base64url").toString(),
  );
  if (match) return { createdAt: new Date(Number(match[1])), id: match[2]! };
  throw new HttpError(
    invalidReply([
      {
        type: "value_error",
        loc: ["query", "cursor"],
        msg: "Value error, take the cursor from the Link header of the page before",
      },
    ]),
  );
}

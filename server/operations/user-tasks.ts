import { z } from "zod";
import { header, rateLimited, reply } from "#lib/contract/openapi.ts";
import { listQuery, taskStates } from "#lib/contract/task.ts";
import type { Reply } from "#server/http/api-request.ts";
import { invalid, jsonReply } from "#server/http/reply.ts";
import { listedForm, type Task } from "#server/tasks/task.ts";
import { linkTo, readCursor } from "./cursor.ts";
import type { ReadRequest } from "./definition.ts";
import { readOperation } from "./definition.ts";

const rules = { method: "GET", group: "tasks", query: listQuery } as const;

const replies = {
  "200": reply("The caller's tasks, newest first", "TaskList", {
    ...rateLimited,
    Link: header('</user/tasks?…>; rel="next"', "the next page, where there is one"),
  }),
  "422": reply("The query or the state breaks a rule", "ValidationError"),
};

const parameters = [
  { name: "limit", in: "query", schema: { type: "integer", minimum: 1, maximum: 100, default: 100 } },
  {
    name: "cursor",
    in: "query",
    schema: { type: "string" },
    description: "from the Link of the page before",
  },
];

/** GET /user/tasks: the caller's tasks, newest first. */
export const userTasks = readOperation(
  {
    ...rules,
    path: "/user/tasks",
    docs: { operationId: "getUserTasks", summary: "The caller's tasks", parameters, replies },
  },
  (read) => page(read),
);

/** GET /user/tasks/{state}: those in one state. */
export const userTasksInState = readOperation(
  {
    ...rules,
    path: "/user/tasks/{state}",
    docs: {
      operationId: "getUserTasksInState",
      summary: "The caller's tasks in one state",
      parameters: [
        { name: "state", in: "path", required: true, schema: { enum: taskStates } },
        ...parameters,
      ],
      replies,
    },
  },
  (read) => {
    const state = z.enum(taskStates).safeParse(read.request.params.state);
    if (state.success) return page(read, state.data);
    const expected = "'PENDING', 'SUCCESS' or 'FAILURE'";
    const msg = `Input should be ${expected}`;
    throw invalid({ type: "enum", loc: ["path", "state"], msg, ctx: { expected } });
  },
);

async function page(
  { query, context, caller, request }: ReadRequest<z.output<typeof listQuery>>,
  state?: Task["status"],
): Promise<Reply> {
  const { store, reader } = context.tasks;
  const before = query.cursor === undefined ? undefined : readCursor(query.cursor);
  // One more than is shown, to know whether there is a next page.
  const found = await store.list(caller.owner, state, query.limit + 1, before);
  const shown = found.slice(0, query.limit);
  const results = [];
  for (const task of shown) results.push(listedForm(task, await reader.position(task)));
  const last = found.length > shown.length ? shown.at(-1) : undefined;
  const link = last && linkTo(request.path, query.limit, last);
  return jsonReply(200, { results }, { "cache-control": "no-store", ...link });
}

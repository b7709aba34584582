import { createHash } from "node:crypto";
import { z } from "zod";
import { idParameter, notModified, rateLimited, reply } from "#lib/contract/openapi.ts";
import { conditionalReply, detailReply, jsonReply, noStore } from "#server/http/reply.ts";
import { countedOperation, readOperation } from "./definition.ts";

const rules = { group: "tasks", query: z.object({}) } as const;

/** POST /channels/calendar: the address of the caller's calendar; the one before ends. */
export const openCalendar = readOperation(
  {
    ...rules,
    method: "POST",
    path: "/channels/calendar",
    docs: {
      operationId: "postCalendar",
      summary: "Make or change the secret address of the calendar of weather windows",
      description: "Calendar programs read it by themselves. The address before ends at once.",
      replies: { "200": reply("The address", "CalendarAddress") },
    },
  },
  async ({ context, caller }) => jsonReply(200, { url: await context.calendars.open(caller.owner) }, noStore),
);

/** DELETE /channels/calendar: nobody reads it any more. */
export const closeCalendar = readOperation(
  {
    ...rules,
    method: "DELETE",
    path: "/channels/calendar",
    docs: {
      operationId: "deleteCalendar",
      summary: "End the address of the calendar",
      replies: {
        "204": { description: "It has ended" },
        "404": reply("There is none", "DetailError"),
      },
    },
  },
  async ({ context, caller }) => {
    if (!(await context.calendars.close(caller.owner))) return detailReply(404, "There is no calendar");
    return { status: 204, headers: noStore, body: null };
  },
);

/** GET /calendars/{token}.ics: the windows as a calendar (RFC 5545). The address is the key. */
export const calendar = countedOperation(
  {
    method: "GET",
    path: "/calendars/{token}",
    group: "tasks",
    docs: {
      operationId: "getCalendar",
      summary: "The weather windows of somebody's watches, as a calendar",
      parameters: [
        {
          ...idParameter("token", { operationId: "postCalendar", pointer: "/url" }),
          description: "as the address has it, with .ics",
        },
      ],
      replies: {
        "200": {
          description: "The calendar",
          headers: rateLimited,
          content: { "text/calendar": { schema: { type: "string" } } },
        },
        ...notModified,
        "404": reply("The address has ended, or never was", "DetailError"),
      },
    },
  },
  async (request, context) => {
    const token = (request.params.token ?? "").replace(/\.ics$/, "");
    const text = await context.calendars.read(token);
    if (text === undefined) return detailReply(404, "There is no calendar at this address");
    const etag = `"${createHash("sha256").update(text).digest("base64url").slice(0, 22)}"`;
    const headers = { "content-type": "text/calendar; charset=utf-8" };
    return conditionalReply(request, etag, "private, no-cache", () => ({ status: 200, headers, body: text }));
  },
);

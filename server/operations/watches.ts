import { isDeepStrictEqual } from "node:util";
import { bodyLimits } from "#lib/contract/limits.ts";
import { header, idParameter, queryParameters, rateLimited, reply } from "#lib/contract/openapi.ts";
import { passageRequest } from "#lib/contract/passage.ts";
import {
  alertQuery,
  alertsRead,
  expiryOf,
  placesOf,
  type Watch,
  type WatchRequest,
  watchLimits,
  watchRequest,
  type watchStates,
} from "#lib/contract/watch.ts";
import { questionOf } from "#lib/passage/question.ts";
import { DAY_S } from "#lib/time.ts";
import { rowOf, watchQuantities } from "#lib/watches/quantities.ts";
import {
  detailReply,
  HttpError,
  invalid,
  jsonReply,
  noStore,
  type ValidationIssue,
} from "#server/http/reply.ts";
import { bodyReader } from "#server/http/validation.ts";
import { PredictionError, UnknownStationError } from "#server/tides/errors.ts";
import { testMessage } from "#server/watches/evaluate.ts";
import { alertForm, foundIn, requestOf, type StoredWatch } from "#server/watches/store.ts";
import { bodyOperation, queuedJob, type ReadRequest, readOperation } from "./definition.ts";
import { requireMembers, requireModels } from "./models.ts";
import { linkTo, readCursor } from "./tasks.ts";

const parameters = [
  idParameter(
    "id",
    { operationId: "getWatches", pointer: "/results/0/id" },
    { operationId: "postWatches", pointer: "/id" },
  ),
];

const notFoundReply = { "404": reply("No watch of the caller's has this id", "DetailError") };

const sending = {
  schemaName: "WatchRequest",
  limitBytes: bodyLimits.sync,
  group: "tasks",
} as const;

/** Margins by which a watch that fired clears, by quantity. */
const margins = Object.fromEntries(watchQuantities.map((name) => [name, rowOf(name).margin]));

export const createWatch = bodyOperation(
  {
    route: "POST /watches",

    ...sending,
    reader: bodyReader(watchRequest, sizeIssues),
    limits: { watches: { ...watchLimits, margins } },
    operationId: "postWatches",
    summary: "Watch a place, a route, storms, a tide, or new runs",
    description:
      "A watch is a stored question. It is evaluated at once and then once for each new run or bulletin, with the " +
      "numbers of POST /MetOcean, POST /passages/evaluate and POST /storms/approach. An alert is written when the " +
      "answer becomes true, and one when it is no longer true: when all values are back within their limits by a " +
      "margin, which GET /limits states. A tide gives one alert for each period beyond its limit, and each high or " +
      "low water gives one. Not for navigation.",
    replies: {
      "200": reply("The watch", "Watch", {
        ...rateLimited,
        Location: header("/watches/…", "Path of the watch"),
      }),
      "409": reply("The owner has as many watches as allowed", "DetailError"),
    },
  },
  async (read) => {
    const { body, caller, context, now } = read;
    const expires = checkedExpiry(body, { now: context.clock.now(), weatherNow: now });
    await requireWatchedModels(body, context.archive);
    const asked = await withDatum(body, read, now);
    const added = await context.watches.store.add(caller.owner, asked, expires);
    if (!added)
      return detailReply(409, `An owner may have ${watchLimits.of_owner} watches: delete one first`);
    return jsonReply(200, watchForm(added), { ...noStore, location: `/watches/${added.id}` });
  },
);

export const watches = readOperation(
  {
    route: "GET /watches",
    operationId: "getWatches",
    summary: "The caller's watches, newest first",
    replies: { "200": reply("All watches", "WatchList") },
  },
  async ({ context, caller }) => {
    const found = await context.watches.store.list(caller.owner);
    return jsonReply(200, { results: found.map(watchForm) }, noStore);
  },
);

export const watch = readOperation(
  {
    route: "GET /watches/{id}",
    operationId: "getWatch",
    summary: "A watch and its last result",
    parameters,
    replies: { "200": reply("The watch", "Watch"), ...notFoundReply },
  },
  async (read) => jsonReply(200, watchForm(await ownWatch(read)), noStore),
);

export const changeWatch = bodyOperation(
  {
    route: "PUT /watches/{id}",

    ...sending,
    reader: bodyReader(watchRequest, sizeIssues),
    operationId: "putWatch",
    summary: "Change a watch",
    description:
      "With another question the watch starts as if it were new. With the same question its state stays as it is. " +
      "For an hour a deleted watch is restored with its state: firing, or expired if expires_at is past.",
    parameters,
    replies: { "200": reply("The watch", "Watch"), ...notFoundReply },
  },
  async (read) => {
    const { body, caller, context, request, now } = read;
    // A client sends the watch that it has read back, even if it has expired.
    const clocks = { now: context.clock.now(), weatherNow: now };
    const expires = checkedExpiry(body, clocks, { mayBeOver: body.expires_at !== undefined });
    const before = await context.watches.store.find(caller.owner, request.params.id ?? "");
    // A watch whose station has left the database can still be paused or renamed.
    const isSame = before && isDeepStrictEqual(body.question, requestOf(before).question);
    if (!isSame) await requireWatchedModels(body, context.archive);
    const asked = isSame ? body : await withDatum(body, read, now);
    const changed = await context.watches.store.change(caller.owner, request.params.id ?? "", asked, expires);
    if (!changed) throw notFound();
    return jsonReply(200, watchForm(changed), noStore);
  },
);

export const deleteWatch = readOperation(
  {
    route: "DELETE /watches/{id}",
    operationId: "deleteWatch",
    summary: "Delete a watch; its alerts stay in the inbox",
    description: "For an hour PUT /watches/{id} with the same question restores it.",
    parameters,
    replies: { "204": { description: "The watch is deleted" }, ...notFoundReply },
  },
  async ({ context, caller, request }) => {
    if (!(await context.watches.store.remove(caller.owner, request.params.id ?? ""))) throw notFound();
    return { status: 204, headers: noStore, body: null };
  },
);

export const testWatch = readOperation(
  {
    route: "POST /watches/{id}/test",
    operationId: "postWatchTest",
    summary: "Send a test of a watch",
    description: "Sends an alert of kind test, with what the watch finds now, to the channels of the watch.",
    parameters,
    replies: { "200": reply("The alert that was sent", "AlertSent"), ...notFoundReply },
  },
  async (read) => {
    const { context, caller, request } = read;
    const { store, look } = context.watches;
    const found = await ownWatch(read);
    const message = await testMessage(found, await look(), request.signal);
    const id = await store.test(caller.owner, found.id, message);
    if (id === undefined) throw notFound();
    return jsonReply(200, { id, message }, noStore);
  },
);

/** The same reply for an unknown watch, one of another owner and a malformed id. */
const notFound = () => new HttpError(detailReply(404, "Watch not found"));

async function ownWatch({ context, caller, request }: ReadRequest<unknown>): Promise<StoredWatch> {
  const found = await context.watches.store.find(caller.owner, request.params.id ?? "");
  if (!found) throw notFound();
  return found;
}

function watchForm(stored: StoredWatch): Watch {
  const { name, question, language, paused } = requestOf(stored);
  return {
    id: stored.id,
    name,
    question,
    language,
    paused,
    channels: stored.onlyNamed ? stored.channels : null,
    state: stateOf(stored),
    found: foundIn(stored),
    error: stored.error,
    created_at: stored.createdAt.toISOString(),
    evaluated_at: stored.evaluatedAt?.toISOString() ?? null,
    expires_at: stored.expiresAt.toISOString(),
  };
}

function stateOf(stored: StoredWatch): (typeof watchStates)[number] {
  if (stored.isExpired) return "expired";
  if (stored.paused) return "paused";
  if (stored.firing) return "firing";
  if (stored.error !== null) return "failed";
  const found = foundIn(stored);
  if (!found) return "waiting";
  const isRun = requestOf(stored).question.kind === "new_run";
  return found.known_share > 0 || isRun ? "quiet" : "unknown";
}

/**
 * Returns when a watch expires. The database's clock, which ends the watch, also decides whether it may be made.
 *
 * @throws HttpError of 422.
 */
function checkedExpiry(
  request: WatchRequest,
  { now, weatherNow }: { now: number; weatherNow: number },
  { mayBeOver = false } = {},
): number {
  const expires = expiryOf(request, now, weatherNow);
  const issue = (loc: string[], msg: string) => invalid({ type: "value_error", loc: ["body", ...loc], msg });
  if (expires <= now && !mayBeOver)
    throw request.expires_at === undefined
      ? issue(["question", "departure"], "The departure should not be more than 10 days ago")
      : issue(["expires_at"], "Input should be in the future");
  if (expires > now + watchLimits.days * DAY_S)
    throw issue(["expires_at"], `Input should be at most ${watchLimits.days} days ahead`);
  return expires;
}

/**
 * Adds to the request the level that its limit refers to, because the chart datum of a station may change.
 *
 * @throws HttpError of 422 where the station has no such tide.
 */
async function withDatum(
  watch: WatchRequest,
  { caller, context, request }: Pick<ReadRequest<unknown>, "caller" | "context" | "request">,
  now: number,
): Promise<WatchRequest> {
  const { question } = watch;
  if (question.kind !== "tide" && question.kind !== "tide_extreme") return watch;
  const { station, datum: asked } = question;
  const period = { datum: asked, from: now, to: now };
  const issue = (loc: string, msg: string) =>
    invalid({ type: "value_error", loc: ["body", "question", loc], msg: `Value error, ${msg}` });
  try {
    return await context.queues.tides.run(queuedJob(caller.owner, request), async () => {
      if (question.kind === "tide") {
        const { datum } = await context.tides.beyond(station, { ...period, over: 0 });
        return { ...watch, question: { ...question, datum } };
      }
      const { datum, hasCoefficients } = await context.tides.extremes(station, period);
      if (question.coefficient !== undefined && !hasCoefficients)
        throw issue(
          "coefficient",
          "only stations on the French coasts of the Atlantic and the Channel have one",
        );
      return { ...watch, question: { ...question, datum } };
    });
  } catch (error) {
    if (error instanceof UnknownStationError) throw issue("station", error.message);
    if (!(error instanceof PredictionError)) throw error;
    const [loc = "", ...rest] = error.message.split(": ");
    throw issue(loc, rest.join(": "));
  }
}

/** Refuses names of models as POST /MetOcean does, and of ensembles as POST /passages/evaluate does. */
async function requireWatchedModels(
  { question }: WatchRequest,
  archive: Parameters<typeof requireModels>[0],
): Promise<void> {
  if ("models" in question) await requireModels(archive, question.models, ["body", "question", "models"]);
  if ("ensemble" in question && question.ensemble !== undefined)
    await requireMembers(archive, question.ensemble, ["body", "question", "ensemble"]);
}

function sizeIssues({ question }: WatchRequest): ValidationIssue[] {
  if (question.kind !== "route") return [];
  const { route, departure, vessel, models, ensemble } = question;
  const { places } = questionOf(passageRequest.parse({ route, departure, vessel, models }));
  const most = placesOf(question);
  if (places <= most) return [];
  const times = models ? ", each counted once for each model" : "";
  const of = ensemble === undefined ? "" : " of the members of an ensemble";
  const msg = `This route has ${places} places${times}, and a watch${of} may have ${most}: make it shorter`;
  return [{ type: "value_error", loc: ["body", "question", "route"], msg, ctx: { places } }];
}

export const alerts = readOperation(
  {
    route: "GET /alerts",

    query: alertQuery,
    operationId: "getAlerts",
    summary: "The caller's alerts, newest first",
    description: "Alerts of the caller's watches, and notes on channels that do not work.",
    parameters: queryParameters(alertQuery),
    replies: {
      "200": reply("A page of the inbox", "AlertList", {
        ...rateLimited,
        Link: header('</alerts?…>; rel="next"', "The next page, if there is one"),
      }),
      "422": reply("The query breaks a rule", "ValidationError"),
    },
  },
  async ({ query, context, caller, request }) => {
    const { alerts: store } = context.watches;
    const before = query.cursor === undefined ? undefined : readCursor(query.cursor);
    // The query asks for one watch more than the page shows, to know whether there is a next page.
    const found = await store.list(caller.owner, query.limit + 1, before);
    const shown = found.slice(0, query.limit);
    const last = found.length > shown.length ? shown.at(-1) : undefined;
    const answer = { results: shown.map(alertForm), unread: await store.unread(caller.owner) };
    return jsonReply(200, answer, { ...noStore, ...(last && linkTo(request.path, query.limit, last)) });
  },
);

export const readAlerts = bodyOperation(
  {
    route: "POST /alerts/read",

    reader: bodyReader(alertsRead),
    schemaName: "AlertsRead",
    limitBytes: bodyLimits.sync,

    operationId: "postAlertsRead",
    summary: "Mark alerts as read",
    description: "Ids of alerts of other owners are ignored.",
    replies: { "204": { description: "The alerts are marked as read" } },
  },
  async ({ body, context, caller }) => {
    await context.watches.alerts.markRead(caller.owner, body.ids);
    return { status: 204, headers: noStore, body: null };
  },
);

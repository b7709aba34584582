import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { FORECAST_ARCHIVE_MONTHS, timeWindow } from "#lib/catalog/datasets.ts";
import type { Json } from "#lib/contract/described-api.ts";
import { guestEnsemblePoints } from "#lib/contract/ensemble.ts";
import { bodyLimits, guestBodyLimit } from "#lib/contract/limits.ts";
import { anyJson, reply, retryAfter } from "#lib/contract/openapi.ts";
import { guestPointLimit } from "#lib/contract/point.ts";
import { startOfDay } from "#lib/time.ts";
import type { Readiness } from "#server/context/readiness.ts";
import type { Context } from "#server/context.ts";
import type { ApiRequest, Reply } from "#server/http/api-request.ts";
import { failedKeyLimit, guestLimit, type RateGroup, rateGroups } from "#server/http/authenticate.ts";
import { forbidden, guestsNow } from "#server/http/guests.ts";
import { detailReply, jsonReply, noStore, withHeaders } from "#server/http/reply.ts";
import { sameOrigin } from "#server/http/router.ts";
import { type Encoding, preferredEncoding } from "#server/platform/negotiation.ts";
import { KEY_SECONDS } from "#server/tasks/store.ts";
import {
  countedOperation,
  type OperationDefinition,
  openableOperation,
  openOperation,
} from "./definition.ts";

export const healthz = openOperation(
  { route: "GET /healthz", operationId: "getHealth", summary: "The process answers" },
  () => jsonReply(200, { status: "ok" }, noStore),
);

export const readyz = openOperation(
  {
    route: "GET /readyz",

    operationId: "getReadiness",
    summary: "Requests can be answered",
    replies: {
      "200": {
        description: "Requests are answered; degraded parts are named",
        content: anyJson,
      },
      "503": { description: "The parts that do not work, by name", headers: retryAfter, content: anyJson },
    },
  },
  async (_request, context) => {
    const failures = await readiness(context);
    const parts = Object.fromEntries(
      Object.entries(failures).map(([part, state]) => [part, describe(state)]),
    );
    const ready = Object.values(failures).every((state) => typeof state !== "string");
    return jsonReply(
      ready ? 200 : 503,
      { status: ready ? "ok" : "failing", parts },
      ready ? noStore : { ...noStore, "retry-after": "5" },
    );
  },
);

function describe(state: Readiness[string]): string {
  return typeof state === "object" ? `degraded: ${state.degraded}` : (state ?? "ok");
}

const found = onceASecond((context) => context.ready());

async function readiness(context: Context): Promise<Readiness> {
  return context.draining.aborted ? { process: "is about to stop" } : found(context);
}

/** GET /metrics, for Prometheus; 404 where it is disabled or has a port of its own. */
export const metrics = closed(
  countedOperation({ route: "GET /metrics" }, (request, context) => {
    if (context.metricsAccess === "off") return detailReply(404, "Not Found");
    if (context.metricsAccess === "local" && request.sender !== "program")
      throw forbidden(
        "Metrics are read from this machine, on METRICS_PORT, or where METRICS_ACCESS is public",
      );
    return exposition(request, context);
  }),
);

/** GET /metrics on its own port. */
export const privateMetrics = openOperation({ route: "GET /metrics" }, exposition);

/** Closes an operation for operators to other sites: no page of another site can send its request or read its reply. */
export function closed(definition: OperationDefinition): OperationDefinition {
  return {
    ...definition,
    endpoint: (context) => async (request) => {
      if (request.sender === "page")
        throw forbidden(
          "This is not for web pages: a program asks for it by an address of this machine or localhost",
        );
      return withHeaders(await definition.endpoint(context)(request), sameOrigin);
    },
  };
}

const latest = onceASecond(async ({ metrics }) => {
  const { type, body } = await metrics.text();
  return { type, text: packed(body) };
});

async function exposition(request: ApiRequest, context: Context): Promise<Reply> {
  const { type, text } = await latest(context);
  return text.reply(request, { "content-type": type, "cache-control": "no-store" });
}

export const feeds = openableOperation(
  {
    route: "GET /feeds",

    isOpen: ({ feeds }) => feeds.open,
    operationId: "getFeeds",
    summary: "State of the feeds",
    description:
      "For each feed that is turned on: its newest run and its age, how many of its steps are published, when the " +
      "next one is expected, and the newest failure as text. If the operator sets STATUS_ACCESS=public, no key is " +
      "needed.",
    replies: {
      "200": reply("The feeds, in the order of the setting FEEDS", "Feeds"),
    },
  },
  async (_request, context) => jsonReply(200, await context.feeds.read(), noStore),
);

const groups = Object.keys(rateGroups) as RateGroup[];

/** GET /limits: every limit in force, from the constants that enforce it and the definitions of the operations. */
export function limits(operations: () => readonly OperationDefinition[]): OperationDefinition {
  return countedOperation(
    {
      route: "GET /limits",

      operationId: "getLimits",
      summary: "Every limit in force",
    },
    async (_request, { tasks, guests: all }) => {
      const guests = await guestsNow(all);
      return jsonReply(
        200,
        {
          rate: Object.fromEntries(Object.entries(rateGroups).map(([group, { text }]) => [group, text])),
          failed_authentication: failedKeyLimit.text,
          body_bytes: bodyLimits,
          ...Object.assign({}, ...operations().map((operation) => operation.limits)),
          tasks: {
            pending_of_owner: tasks.store.limits.pendingOfOwner,
            pending: tasks.store.limits.pending,
            result_seconds: tasks.store.limits.resultSeconds,
            row_seconds: tasks.store.limits.rowSeconds,
            idempotency_key_seconds: KEY_SECONDS,
          },
          time: {
            years_back: timeWindow.yearsBack,
            days_ahead: timeWindow.daysAhead,
            archive_months: FORECAST_ARCHIVE_MONTHS,
          },
          wind_height_metres: { min: 10, max: 100 },
          ...(guests && {
            guests: {
              mode: guests.mode,
              rate: Object.fromEntries(groups.map((group) => [group, guestLimit({ guests }, group).text])),
              points: guestPointLimit,
              ensemble_points: guestEnsemblePoints,
              body_bytes: guestBodyLimit,
            },
          }),
        },
        { "cache-control": "public, max-age=300" },
      );
    },
  );
}

/** GET /openapi.json: the contract for machines. */
export function openapi(apiDocument: (version: string, now: number) => Json): OperationDefinition {
  let document: Packed | undefined;
  /** Day of the examples, Unix seconds. */
  let madeFor: number | undefined;
  return countedOperation(
    {
      route: "GET /openapi.json",

      operationId: "getOpenapi",
      summary: "This document",
    },
    (request, context) => {
      const day = startOfDay(context.weather.now());
      if (!document || day !== madeFor) {
        document = packed(JSON.stringify(apiDocument(context.version, day)));
        madeFor = day;
      }
      return document.reply(request, {
        "content-type": "application/json",
        "cache-control": "public, max-age=300",
      });
    },
  );
}

/**
 * A text that many clients request, compressed once: compressing it for each would take longer than most answers, and
 * take its memory each time.
 */
export interface Packed {
  reply(request: Pick<ApiRequest, "header">, headers: Record<string, string>): Reply;
}

/** Packs a text. Each form is made when it is first requested. */
export function packed(text: string): Packed {
  const forms = new Map<Encoding | undefined, Uint8Array>();
  return {
    reply(request, headers) {
      const encoding = preferredEncoding(request.header("accept-encoding"));
      const body = forms.get(encoding) ?? compressed(text, encoding);
      forms.set(encoding, body);
      return {
        status: 200,
        headers: { ...headers, vary: "Accept-Encoding", ...(encoding && { "content-encoding": encoding }) },
        body,
      };
    },
  };
}

function compressed(text: string, encoding: Encoding | undefined): Uint8Array {
  if (encoding === "gzip") return gzipSync(text);
  if (encoding === undefined) return Buffer.from(text);
  return brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 7 } });
}

/** How long a result is shared, seconds. */
const VALID_S = 1;

/**
 * Computes a result at most once a second and shares it with all callers, so that nobody can keep the service busy by
 * asking.
 *
 * @param find Computes the result for one context.
 */
function onceASecond<Result>(
  find: (context: Context) => Promise<Result>,
): (context: Context) => Promise<Result> {
  /** Latest results; `at` is the time of computation, absent while it is under way. */
  const latest = new WeakMap<Context, { at?: number; result: Promise<Result> }>();
  return (context) => {
    const known = latest.get(context);
    // The difference is absolute because a clock that was set back shows an earlier time.
    if (known && Math.abs(context.clock.now() - (known.at ?? context.clock.now())) < VALID_S)
      return known.result;
    const found: { at?: number; result: Promise<Result> } = { result: find(context) };
    latest.set(context, found);
    const end = () => {
      found.at = context.clock.now();
    };
    found.result.then(end, end);
    return found.result;
  };
}

import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { OperationDescription, OperationDocs } from "#lib/contract/openapi.ts";
import type { Idempotency } from "#lib/contract/task.ts";
import type { RequestName } from "#lib/contract/wire-schemas.ts";
import type { Context } from "#server/context.ts";
import type { ApiRequest, Caller, Operation, Reply } from "#server/http/api-request.ts";
import { authenticate, countAddress, type RateGroup, rateGroups } from "#server/http/authenticate.ts";
import { forbidden } from "#server/http/guests.ts";
import { answerOnce, idempotencyOf } from "#server/http/idempotency.ts";
import { dropBody, replyToError, withHeaders } from "#server/http/reply.ts";
import { type BodyReader, checkerOf, jsonBytes } from "#server/http/validation.ts";
import { readBody } from "./bodies.ts";
import { withFormat } from "./format-parameter.ts";

/**
 * Everything about one operation. The router, the OpenAPI document, `GET /limits`, the docs page and the Next routes
 * derive from the list of these (`list.ts`).
 */
export interface OperationDefinition extends OperationDescription {
  /** Whether a context has it; where absent every one does. */
  isOn?(context: Context): boolean;
  /** Handles requests in a context. */
  endpoint(context: Context): Operation;
}

/** What every operation states; one without `operationId` is not part of the published contract. */
interface Stated extends Partial<OperationDocs>, Pick<OperationDefinition, "limits"> {
  /** `GET /task/{task_id}`. */
  route: `${OperationDefinition["method"]} ${string}`;
}

/** What its requests are counted with; where absent, `tasks`. */
interface Counted {
  group?: RateGroup;
}

interface BodyRules<Body> extends Stated, Counted {
  schemaName: RequestName;
  limitBytes: number;
  /** `?f=` names the format, as `Accept` does. */
  takesFormat?: true;
  /** Where absent, visitors without a key may not do this. */
  guests?: GuestRules<Body>;
  reader: BodyReader<Body>;
}

/** What a visitor without a key may send. */
interface GuestRules<Body> {
  limitBytes: number;
  /** Why a body is too large for a visitor, in words; undefined for one that is not. */
  refusal?(body: Body): string | undefined;
}

/** What the handler of a POST gets. */
export interface RequestJob<Body> {
  body: Body;
  caller: Caller;
  context: Context;
  /** Weather clock when the request was accepted, Unix seconds. */
  now: number;
  signal: AbortSignal;
  taskId: string;
  request: ApiRequest;
  /** The body as it was sent. */
  bytes: Uint8Array;
  idempotency?: Idempotency;
}

/** What the handler of a GET with a key gets. */
export interface ReadRequest<Query> {
  query: Query;
  caller: Caller;
  context: Context;
  request: ApiRequest;
}

type OpenHandler = (request: ApiRequest, context: Context) => Reply | Promise<Reply>;

/** JSON that is sent with a key. Checks in the order 403, 401, 429, 415, 413, 422; what is too much for a visitor is 403. */
export function bodyOperation<Body>(
  { schemaName, limitBytes, group = "tasks", takesFormat, guests, reader, ...stated }: BodyRules<Body>,
  handle: (job: RequestJob<Body>) => Promise<Reply>,
): OperationDefinition {
  const openToGuests = guests !== undefined;
  const answer = async (asked: ApiRequest, context: Context, caller: Caller): Promise<Reply> => {
    const { isGuest } = caller;
    const request = takesFormat ? withFormat(asked) : asked;
    const sent = await jsonBytes(request, isGuest ? guests!.limitBytes : limitBytes);
    const now = context.weather.now();
    const { signal, arrived } = request;
    const reading = { owner: caller.owner, signal, arrived };
    const { body, bytes } = await readBody(schemaName, reader, sent, now, context, reading);
    const refusal = isGuest && guests?.refusal?.(body);
    if (refusal) throw forbidden(refusal);
    // A visitor owns nothing, so that nothing is kept for one.
    const idempotency = isGuest || !context.answers ? undefined : await idempotencyOf(request, bytes);
    const taskId = randomUUID();
    const job = { body, caller, context, now, signal, taskId, request, bytes, idempotency };
    const { answers, log } = context;
    if (!answers || !idempotency) return handle(job);
    const deps = { answers, owner: caller.owner, taskId, idempotency, request, log };
    let made: Reply | undefined;
    let reply: Reply | undefined;
    try {
      reply = await answerOnce(deps, async () => {
        made = await handle(job);
        return made;
      });
      return reply;
    } finally {
      // A stored form may be sent instead.
      if (made && made.body !== reply?.body) await dropBody(made.body);
    }
  };
  return {
    ...described(stated),
    rate: rateOf(group),
    needsKey: true,
    openToGuests,
    body: { name: schemaName, limitBytes },
    endpoint: authenticated(group, answer, openToGuests),
  };
}

/** Any method without a body, with a key. Checks in the order 403, 401, 429, 422. */
export function readOperation<Schema extends z.ZodType = typeof noQuery>(
  {
    group = "tasks",
    query,
    openToGuests = false,
    ...stated
  }: Stated & Counted & { query?: Schema; openToGuests?: boolean },
  handle: (read: ReadRequest<z.output<Schema>>) => Reply | Promise<Reply>,
): OperationDefinition {
  const check = checkerOf(query ?? (noQuery as unknown as Schema), "query");
  const endpoint = authenticated(
    group,
    async (request, context, caller) =>
      // The last value of a repeated name counts, as in FastAPI.
      handle({ query: check(Object.fromEntries(request.query)), caller, context, request }),
    openToGuests,
  );
  return { ...described(stated), rate: rateOf(group), needsKey: true, openToGuests, endpoint };
}

/** GET with a key or by a visitor, unless a setting opens it: callers are then counted for their address. */
export function openableOperation(
  { group = "tasks", isOpen, ...stated }: Stated & Counted & { isOpen: (context: Context) => boolean },
  handle: OpenHandler,
): OperationDefinition {
  const withKey = authenticated(group, async (request, context) => handle(request, context), true);
  const open = countedOperation({ group, ...stated }, handle).endpoint;
  return {
    ...described(stated),
    rate: rateOf(group),
    needsKey: true,
    openToGuests: true,
    endpoint: (context) => {
      const [forKeys, forAll] = [withKey(context), open(context)];
      return (request) => (isOpen(context) ? forAll : forKeys)(request);
    },
  };
}

/** GET without a key, counted for the address of the caller. */
export function countedOperation(
  { group = "tasks", ...stated }: Stated & Counted,
  handle: OpenHandler,
): OperationDefinition {
  const open = openOperation(stated, async (request, context) => {
    const headers = await countAddress(request, context, group);
    return counted(headers, async () => handle(request, context), request, context);
  });
  return { ...open, rate: rateOf(group) };
}

/** GET without a key. Every failure becomes a reply. */
export function openOperation(stated: Stated, handle: OpenHandler): OperationDefinition {
  return { ...described(stated), needsKey: false, endpoint: neverThrowing(handle) };
}

const noQuery = z.object({});

function described({
  route,
  limits,
  operationId,
  summary = "",
  ...docs
}: Stated): Pick<OperationDefinition, "method" | "path" | "docs" | "limits"> {
  const [method, path] = route.split(" ") as [OperationDefinition["method"], string];
  return { method, path, limits, docs: operationId ? { operationId, summary, ...docs } : undefined };
}

const rateOf = (group: RateGroup) => ({ group, limit: rateGroups[group].text });

function authenticated(
  group: RateGroup,
  handle: (request: ApiRequest, context: Context, caller: Caller) => Promise<Reply>,
  openToGuests: boolean,
): OperationDefinition["endpoint"] {
  return neverThrowing(async (request, context) => {
    const { caller, headers } = await authenticate(request, context, group, openToGuests);
    const answer = async () => {
      if (group === "data") await context.ensureData?.();
      return handle(request, context, caller);
    };
    return counted(headers, answer, request, context);
  });
}

function neverThrowing(handle: OpenHandler): OperationDefinition["endpoint"] {
  return (context) => async (request) => {
    try {
      return await handle(request, context);
    } catch (error) {
      return replyToError(error, request, context.log);
    }
  };
}

/** Adds the headers of the rate limit to whatever is answered, errors included. */
async function counted(
  headers: Record<string, string>,
  answer: () => Promise<Reply>,
  request: ApiRequest,
  { log }: Context,
): Promise<Reply> {
  return withHeaders(await answer().catch((error: unknown) => replyToError(error, request, log)), headers);
}

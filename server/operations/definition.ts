import { randomUUID } from "node:crypto";
import { z } from "zod";
import type { Method, OperationDescription, OperationDocs } from "#lib/contract/openapi.ts";
import type { Idempotency } from "#lib/contract/task.ts";
import type { RequestName } from "#lib/contract/wire-schemas.ts";
import type { Context } from "#server/context.ts";
import type { ApiRequest, Caller, Operation, Reply } from "#server/http/api-request.ts";
import { authenticate, countAddress, type RateGroup, rateGroups } from "#server/http/authenticate.ts";
import { forbidden } from "#server/http/guests.ts";
import { answerOnce, type IdempotentAnswers, idempotencyOf } from "#server/http/idempotency.ts";
import type { QueuedJob } from "#server/http/queue.ts";
import { type BodyReader, checkerOf, jsonBytes } from "#server/http/validation.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { LateError, settledWithin } from "#server/platform/deadline.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import { isLarge, readLarge } from "./bodies.ts";
import { withFormat } from "./format-parameter.ts";

/**
 * Everything about one operation. The router, the OpenAPI document, `GET /limits`, the docs page and the Next routes
 * derive from the list of these (`operations.ts`).
 */
export interface OperationDefinition extends OperationDescription {
  /** Returns whether a context has the operation; if absent, every context does. */
  isOn?(context: Context): boolean;
  /** Handles requests in a context. */
  endpoint(context: Context): Operation;
}

/** The statement of every operation; one without `operationId` is not part of the published contract. */
interface Stated extends Partial<OperationDocs>, Pick<OperationDefinition, "limits"> {
  /** `GET /task/{task_id}`. */
  route: `${Method} ${string}`;
}

/** Group that the requests are counted in; `tasks` if absent. */
interface Counted {
  group?: RateGroup;
}

interface BodyRules<Body> extends Stated, Counted {
  schemaName: RequestName;
  limitBytes: number;
  /** Whether `?f=` names the format, as `Accept` does. */
  takesFormat?: true;
  /** Rules for visitors without a key; if absent, visitors may not use the operation. */
  guests?: GuestRules<Body>;
  reader: BodyReader<Body>;
  /** Throws `HttpError` if the requested format cannot hold the answer, also where a stored answer would be repeated. */
  checkFormat?(request: ApiRequest, body: Body): void;
}

/** Limits of the requests of a visitor without a key. */
interface GuestRules<Body> {
  limitBytes: number;
  /** Returns in words why a body is too large for a visitor; undefined if it is not. */
  refusal?(body: Body): string | undefined;
}

/** Argument of the handler of a POST. */
export interface RequestJob<Body> {
  body: Body;
  caller: Caller;
  context: Context;
  /** Weather clock when the request was accepted, Unix seconds. */
  now: number;
  /** Signal of the request. */
  signal: AbortSignal;
  taskId: string;
  request: ApiRequest;
  /** The body as it was sent. */
  bytes: Uint8Array;
  idempotency?: Idempotency;
}

/** Argument of the handler of a GET with a key. */
export interface ReadRequest<Query> {
  query: Query;
  caller: Caller;
  context: Context;
  request: ApiRequest;
}

type OpenHandler = (request: ApiRequest, context: Context) => Reply | Promise<Reply>;

/**
 * Defines an operation that takes JSON with a key. It checks in the order 403, 401, 429, 415, 413, 422; a body that is
 * too large for a visitor is 403.
 */
export function bodyOperation<Body>(
  {
    schemaName,
    limitBytes,
    group = "tasks",
    takesFormat,
    guests,
    reader,
    checkFormat,
    ...stated
  }: BodyRules<Body>,
  handle: (job: RequestJob<Body>) => Promise<Reply>,
): OperationDefinition {
  const answer: KeyHandler = async (asked, context, caller) => {
    const { isGuest, owner } = caller;
    const request = takesFormat ? withFormat(asked) : asked;
    const sent = await jsonBytes(request, isGuest ? guests!.limitBytes : limitBytes);
    const now = context.weather.now();
    const { bodyPool, queues } = context;
    const { answers, log } = context;
    const { signal } = request;
    const timed = <Result>(work: () => Promise<Result>) => inTime(request, context, work);
    const { body, bytes } =
      bodyPool && isLarge(sent)
        ? await readLarge(schemaName, reader, sent, now, { bodyPool, queues }, queuedJob(owner, request))
        : { body: reader.read(sent, now), bytes: sent };
    const refusal = isGuest && guests?.refusal?.(body);
    if (refusal) throw forbidden(refusal);
    checkFormat?.(request, body);
    const taskId = randomUUID();
    const job = { body, caller, context, now, signal, taskId, request, bytes };
    // A visitor owns nothing, so no answer is stored for one.
    if (isGuest || !answers || request.header("idempotency-key") === undefined)
      return timed(() => handle(job));
    const idempotency = await idempotencyOf(request, bytes);
    // Storing an answer, and repeating one in another format, each have a time limit of their own.
    const timedAnswers: IdempotentAnswers = {
      find: (...key) => timed(() => answers.find(...key)),
      ensureQuota: (of) => timed(() => answers.ensureQuota(of)),
      keep: (...answer) => answers.keep(...answer),
    };
    return answerOnce({ answers: timedAnswers, owner, taskId, idempotency, request, log }, () =>
      timed(() => handle({ ...job, idempotency })),
    );
  };
  return {
    ...withKey(stated, group, answer, guests !== undefined),
    body: { name: schemaName, limitBytes },
  };
}

/** Defines an operation of any method without a body, with a key. It checks in the order 403, 401, 429, 422. */
export function readOperation<Schema extends z.ZodType = typeof noQuery>(
  {
    group = "tasks",
    query,
    openToGuests = false,
    takesOwnTime = false,
    ...stated
  }: Stated & Counted & { query?: Schema; openToGuests?: boolean; takesOwnTime?: boolean },
  handle: (read: ReadRequest<z.output<Schema>>) => Reply | Promise<Reply>,
): OperationDefinition {
  const check = checkerOf(query ?? (noQuery as unknown as Schema), "query");
  const answer: KeyHandler = async (request, context, caller) => {
    // The last value of a repeated name counts, as in FastAPI.
    const read = { query: check(Object.fromEntries(request.query)), caller, context, request };
    return takesOwnTime ? handle(read) : inTime(request, context, async () => handle(read));
  };
  return withKey(stated, group, answer, openToGuests);
}

/**
 * Defines a GET with a key or by a visitor. If a setting opens the operation, callers are counted for their address
 * instead.
 */
export function openableOperation(
  { group = "tasks", isOpen, ...stated }: Stated & Counted & { isOpen: (context: Context) => boolean },
  handle: OpenHandler,
): OperationDefinition {
  const forKeys = withKey(stated, group, handle, true);
  const forAll = countedOperation({ group, ...stated }, handle);
  const endpoint: OperationDefinition["endpoint"] = (context) => (request) =>
    (isOpen(context) ? forAll : forKeys).endpoint(context)(request);
  return { ...forKeys, endpoint };
}

/** Defines a GET without a key, which is counted for the address of the caller. */
export function countedOperation(
  { group = "tasks", ...stated }: Stated & Counted,
  handle: OpenHandler,
): OperationDefinition {
  const open = openOperation(stated, (request, context) =>
    inTime(request, context, async () => {
      await countAddress(request, context, group, rateGroups[group]);
      return handle(request, context);
    }),
  );
  return { ...open, rate: rateOf(group) };
}

/** Defines a GET without a key. */
export function openOperation(stated: Stated, handle: OpenHandler): OperationDefinition {
  const endpoint: OperationDefinition["endpoint"] = (context) => async (request) => handle(request, context);
  return { ...described(stated), needsKey: false, endpoint };
}

const noQuery = z.object({});

function described({
  route,
  limits,
  operationId,
  summary = "",
  ...docs
}: Stated): Pick<OperationDefinition, "method" | "path" | "docs" | "limits"> {
  const [method, path] = route.split(" ") as [Method, string];
  return { method, path, limits, docs: operationId ? { operationId, summary, ...docs } : undefined };
}

const rateOf = (group: RateGroup) => ({ group, limit: rateGroups[group].text });

/** Describes a request for a queue. */
export function queuedJob(owner: string, { aborter, arrived }: ApiRequest, bytes = 0): QueuedJob {
  return { owner, aborter, arrived, bytes };
}

/** Retry-After of a request that waited for something other than a computation, seconds. */
const LATE_RETRY_S = 10;

/**
 * Runs the work of a request within the time limit of an answer, because a database or a store may stall. Beyond the
 * limit the request is refused and its signal aborted. The queue of computations refuses them earlier, with advice.
 *
 * @throws UnavailableError, and whatever the work throws.
 */
async function inTime<Result>(
  request: ApiRequest,
  { queues }: Pick<Context, "queues">,
  work: () => Promise<Result>,
): Promise<Result> {
  const { answerSeconds } = queues.small.limits;
  const leftMs = request.arrived + 1000 * answerSeconds - monotonicMs();
  try {
    return await settledWithin(Math.max(0, leftMs), work());
  } catch (error) {
    if (!(error instanceof LateError)) throw error;
    const refusal = new UnavailableError(
      `There was no answer within ${answerSeconds} seconds. Please try again later.`,
      LATE_RETRY_S,
      { cause: error },
    );
    request.aborter.abort(refusal);
    throw refusal;
  }
}

type KeyHandler = (request: ApiRequest, context: Context, caller: Caller) => Reply | Promise<Reply>;

function withKey(
  stated: Stated,
  group: RateGroup,
  handle: KeyHandler,
  openToGuests: boolean,
): OperationDefinition {
  const endpoint: OperationDefinition["endpoint"] = (context) => async (request) => {
    const caller = await inTime(request, context, async () => {
      const found = await authenticate(request, context, group, openToGuests);
      if (group === "data") await context.ensureData?.();
      return found;
    });
    return handle(request, context, caller);
  };
  return { ...described(stated), rate: rateOf(group), needsKey: true, openToGuests, endpoint };
}

import type { z } from "zod";
import type { OperationDescription } from "#lib/contract/openapi.ts";
import type { RequestName } from "#lib/contract/wire-schemas.ts";
import type { Context } from "#server/context.ts";
import type { ApiRequest, Reply } from "#server/http/api-request.ts";
import {
  type BodyRules,
  bodyEndpoint,
  countedEndpoint,
  type Endpoint,
  openEndpoint,
  type ReadRequest,
  type ReadRules,
  type RequestJob,
  readEndpoint,
} from "#server/http/endpoint.ts";
import type { RateGroup } from "#server/http/rate-limit.ts";

/**
 * Everything about one operation. The router, the OpenAPI document, `GET /limits`, the docs page and the Next routes
 * derive from the list of these (`list.ts`).
 */
export interface OperationDefinition extends OperationDescription {
  /** Its own limits, for `GET /limits`. */
  limits?: Readonly<Record<string, unknown>>;
  /** Handles requests in a context. */
  endpoint: Endpoint<Context>;
}

type Stated = Pick<OperationDefinition, "method" | "path" | "docs" | "limits">;

/** POST of JSON with a key. */
export function bodyOperation<Schema extends z.ZodType>(
  {
    path,
    docs,
    limits,
    schemaName,
    ...rules
  }: Omit<Stated, "method"> & BodyRules<Schema> & { schemaName: RequestName },
  handle: (job: RequestJob<z.output<Schema>, Context>) => Promise<Reply>,
): OperationDefinition {
  const body = { name: schemaName, limitBytes: rules.limitBytes };
  const endpoint = bodyEndpoint(rules, handle);
  return { method: "POST", path, docs, limits, needsKey: true, body, endpoint };
}

/** Any method without a body, with a key. */
export function readOperation<Schema extends z.ZodType>(
  { group, query, ...stated }: Stated & ReadRules<Schema>,
  handle: (read: ReadRequest<z.output<Schema>, Context>) => Reply | Promise<Reply>,
): OperationDefinition {
  return { ...stated, needsKey: true, endpoint: readEndpoint({ group, query }, handle) };
}

/** GET without a key, counted for the address of the caller. */
export function countedOperation(
  { group, ...stated }: Stated & { group: RateGroup },
  handle: (request: ApiRequest, context: Context) => Reply | Promise<Reply>,
): OperationDefinition {
  return { ...stated, needsKey: false, endpoint: countedEndpoint(group, handle) };
}

/** GET without a key. */
export function openOperation(
  stated: Stated,
  handle: (request: ApiRequest, context: Context) => Reply | Promise<Reply>,
): OperationDefinition {
  return { ...stated, needsKey: false, endpoint: openEndpoint(handle) };
}

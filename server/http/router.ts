import { type Method, methods } from "#lib/contract/openapi.ts";
import type { ApiRequest, Operation, Reply, RequestLog } from "./api-request.ts";
import { detailReply, HttpError, replyToError } from "./reply.ts";

/** Value of `Allow` for the server as a whole. */
export const allMethods = [...methods, "HEAD", "OPTIONS"].join(", ");

/** Operations by path pattern, `/task/:task_id`, and method. */
export type RouteTable = Readonly<Record<string, Partial<Record<Method, Operation>>>>;

export interface Router {
  /** Returns whether a path belongs to the API; every other path is a page. */
  owns(path: string): boolean;
  /**
   * Answers a request for a path that it owns: 404 and 405 come before anything else, OPTIONS needs no key, HEAD works
   * where GET does. Never rejects: every failure is a reply.
   */
  answer(request: ApiRequest): Promise<Reply>;
}

interface Route {
  pattern: string;
  segments: string[];
  methods: Partial<Record<string, Operation>>;
  allow: string;
}

interface RouterOptions {
  log: RequestLog;
  /** First segments that belong to the API although no route of the table has them; they get 404 in JSON. */
  reserved?: readonly string[];
  /** Puts errors into the form that a standard has for them. */
  errorForm?: (path: string, reply: Reply) => Reply;
}

export function routerOf(table: RouteTable, { log, reserved = [], errorForm }: RouterOptions): Router {
  const routes = Object.entries(table).map(([pattern, methods]) => routeOf(pattern, methods));
  const literal = new Map(routes.filter(isLiteral).map((route) => [route.pattern, route]));
  const withParams = routes.filter((route) => !isLiteral(route));
  // A path in the wrong case is a mistaken API path, not a page.
  const owned = new Set(
    [...routes.map(({ segments }) => segments[0]!), ...reserved].map((name) => name.toLowerCase()),
  );

  const find = ({
    path,
    segments,
  }: ApiRequest): { route: Route; params: Record<string, string> } | undefined => {
    const route = literal.get(path);
    if (route) return { route, params: {} };
    for (const candidate of withParams) {
      const params = paramsOf(candidate, segments);
      if (params) return { route: candidate, params };
    }
    return undefined;
  };

  const dispatch = (request: ApiRequest): Reply | Promise<Reply> => {
    // The path `*` stands for the server as a whole: RFC 9110, 9.3.7.
    if (request.path === "*" && request.method === "OPTIONS") return optionsReply(request, allMethods);
    const found = find(request);
    if (!found) throw new HttpError(detailReply(404, "Not Found"));
    const { route, params } = found;
    const { method } = request;
    request.route = route.pattern;
    request.params = params;
    if (method === "OPTIONS") return optionsReply(request, route.allow);
    const operation = route.methods[method === "HEAD" ? "GET" : method];
    return operation?.(request) ?? detailReply(405, "Method Not Allowed", { allow: route.allow });
  };

  return {
    // A path that begins with several slashes can belong to the API too, and is not found.
    owns: (path) => owned.has((segmentsOf(path).find((segment) => segment !== "") ?? "").toLowerCase()),
    async answer(request) {
      const formed = (reply: Reply) => finished(errorForm?.(request.path, reply) ?? reply, request);
      try {
        return formed(await dispatch(request));
      } catch (error) {
        return formed(replyToError(error, request, log));
      }
    },
  };
}

/** Adds the headers that every reply carries. */
export function finished(
  { status, headers, body }: Reply,
  { id, replyHeaders }: Pick<ApiRequest, "id" | "replyHeaders">,
): Reply {
  const common = headers[POLICY] === sameOrigin[POLICY] ? closedHeaders : commonHeaders;
  return { status, headers: { ...headers, ...replyHeaders, ...common, "x-request-id": id }, body };
}

/** Response headers that a script on another origin may read. */
const exposed = [
  "RateLimit-Policy",
  "RateLimit",
  "X-RateLimit-Limit",
  "X-RateLimit-Remaining",
  "X-RateLimit-Reset",
  "Retry-After",
  "Location",
  "ETag",
  "X-Data-Provenance",
  "Link",
  "X-Request-Id",
  "X-Data-Age",
  "X-Notification",
  "Idempotent-Replayed",
  "X-Idempotency-Key",
].join(", ");

/** Request headers that a script on another origin may send. */
const accepted =
  "X-API-Key, Authorization, Content-Type, Accept, Idempotency-Key, If-None-Match, X-Request-Id";

const POLICY = "cross-origin-resource-policy";

/** Header of a reply that no page of another origin may read. */
export const sameOrigin = { [POLICY]: "same-origin" } as const;

const closedHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
} as const;

/**
 * Headers of nearly every reply: any origin may read it, but never with cookies, since the key in its header is the
 * only credential.
 */
export const commonHeaders = {
  "access-control-allow-origin": "*",
  "access-control-expose-headers": exposed,
  [POLICY]: "cross-origin",
  ...closedHeaders,
} as const;

/** Replies to OPTIONS, which needs no key because browsers send none in a preflight. */
function optionsReply(request: ApiRequest, allow: string): Reply {
  const preflight = request.header("access-control-request-method") !== undefined;
  return {
    status: 204,
    headers: preflight
      ? {
          "access-control-allow-methods": allow,
          "access-control-allow-headers": accepted,
          "access-control-max-age": "86400",
        }
      : { allow },
    body: null,
  };
}

function routeOf(pattern: string, methods: Partial<Record<Method, Operation>>): Route {
  const names = Object.keys(methods);
  const allow = [...names, ...(methods.GET ? ["HEAD"] : []), "OPTIONS"].join(", ");
  return {
    pattern,
    segments: segmentsOf(pattern),
    methods: Object.assign(Object.create(null), methods),
    allow,
  };
}

function isLiteral(route: Route): boolean {
  return !route.pattern.includes(":");
}

function segmentsOf(path: string): string[] {
  return path.split("/").slice(1);
}

/** Values of the `:names` of a pattern; undefined when the path does not match. */
function paramsOf(route: Route, segments: readonly string[]): Record<string, string> | undefined {
  if (segments.length !== route.segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, expected] of route.segments.entries()) {
    const given = segments[index]!;
    if (expected.startsWith(":")) params[expected.slice(1)] = given;
    else if (expected !== given) return undefined;
  }
  return params;
}

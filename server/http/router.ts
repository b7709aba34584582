import { corsHeaders, optionsReply } from "./cors.ts";
import { detailReply } from "./errors.ts";
import type { ApiRequest, Operation, Reply } from "./exchange.ts";

export type Method = "GET" | "POST" | "DELETE";

/** Path patterns, `/task/:task_id`, and what each method of theirs does. */
export type RouteTable = Readonly<Record<string, Partial<Record<Method, Operation>>>>;

export interface Router {
  /** Whether a path is the API's to answer; every other one is a page. */
  owns(path: string): boolean;
  /**
   * Answers a request for a path that it owns: 404 and 405 come before anything else, OPTIONS needs no key, HEAD works
   * where GET does.
   */
  answer(request: ApiRequest): Promise<RoutedReply>;
}

export interface RoutedReply extends Reply {
  /** Pattern of the table, for metrics: it has few values, where paths have many. */
  route: string;
}

interface Route {
  pattern: string;
  segments: string[];
  methods: Partial<Record<string, Operation>>;
  allow: string;
}

/**
 * @param reserved First segments that belong to the API although no route of the table has them: they are JSON 404s.
 */
export function routerOf(table: RouteTable, reserved: readonly string[] = []): Router {
  const routes = Object.entries(table).map(([pattern, methods]) => routeOf(pattern, methods));
  const fixed = new Map(routes.filter(isFixed).map((route) => [route.pattern, route]));
  const open = routes.filter((route) => !isFixed(route));
  // A wrong case is a mistake in an API path, not a page.
  const owned = new Set(
    [...routes.map(({ segments }) => segments[0]!), ...reserved].map((name) => name.toLowerCase()),
  );

  const find = (path: string): { route: Route; params: Record<string, string> } | undefined => {
    const route = fixed.get(path);
    if (route) return { route, params: {} };
    const segments = segmentsOf(path);
    for (const candidate of open) {
      const params = paramsOf(candidate, segments);
      if (params) return { route: candidate, params };
    }
    return undefined;
  };

  return {
    owns: (path) => owned.has((segmentsOf(path)[0] ?? "").toLowerCase()),
    async answer(request) {
      const found = find(request.path);
      if (!found) return finished(detailReply(404, "Not Found"), "none");
      const { route, params } = found;
      const { method } = request;
      if (method === "OPTIONS") return finished(optionsReply(request, route.allow), route.pattern);
      const operation = route.methods[method === "HEAD" ? "GET" : method];
      if (!operation) {
        return finished(detailReply(405, "Method Not Allowed", { allow: route.allow }), route.pattern);
      }
      request.params = params;
      return finished(await operation(request), route.pattern);
    },
  };
}

/** What every reply of the API carries. */
function finished(reply: Reply, route: string): RoutedReply {
  return {
    status: reply.status,
    body: reply.body,
    headers: { ...reply.headers, ...corsHeaders, ...safeHeaders },
    route,
  };
}

const safeHeaders = {
  "x-content-type-options": "nosniff",
  "referrer-policy": "no-referrer",
  "cross-origin-resource-policy": "cross-origin",
} as const;

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

function isFixed(route: Route): boolean {
  return !route.pattern.includes(":");
}

function segmentsOf(path: string): string[] {
  return path.split("/").slice(1);
}

/** Values of the `:names` of a pattern; undefined when the path is another one. */
function paramsOf(route: Route, segments: readonly string[]): Record<string, string> | undefined {
  if (segments.length !== route.segments.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, wanted] of route.segments.entries()) {
    const given = segments[index]!;
    if (wanted.startsWith(":")) params[wanted.slice(1)] = given;
    else if (wanted !== given) return undefined;
  }
  return params;
}

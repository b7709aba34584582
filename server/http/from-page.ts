import type { ApiRequest } from "./api-request.ts";

/** What is read of a request. */
export type Headed = Pick<ApiRequest, "header">;

/**
 * Whether a request was sent by a page of this service. A browser tells; a program can pretend.
 *
 * @param publicUrl Where people reach the service.
 */
export function comesFromPage(request: Headed, publicUrl: string): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined && site !== "same-origin") return false;
  const origin = request.header("origin");
  if (origin !== undefined) return isOurs(origin, request, publicUrl);
  // Without TLS browsers send neither of the two when they read.
  return site !== undefined || isOurs(request.header("referer") ?? "", request, publicUrl);
}

/** Whether the page of another site sent a request. A browser says so; programs say nothing of it. */
export function isCrossSite(request: Headed): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const origin = request.header("origin");
  return origin !== undefined && hostOf(origin) !== request.header("host")?.toLowerCase();
}

function isOurs(url: string, request: Headed, publicUrl: string): boolean {
  const host = hostOf(url);
  // A proxy may replace the host that the browser has sent.
  return (
    host !== undefined && (host === request.header("host")?.toLowerCase() || host === new URL(publicUrl).host)
  );
}

function hostOf(url: string): string | undefined {
  return (URL.canParse(url) && new URL(url).host) || undefined;
}

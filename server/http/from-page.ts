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

function isOurs(url: string, request: Headed, publicUrl: string): boolean {
  if (!URL.canParse(url)) return false;
  const { host } = new URL(url);
  // A proxy may replace the host that the browser has sent.
  return host !== "" && (host === request.header("host")?.toLowerCase() || host === new URL(publicUrl).host);
}

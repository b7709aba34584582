import type { ServerResponse } from "node:http";
import { commonHeaders } from "./page-headers.ts";

/** Sets what every reply beside the API has. */
export function setHeaders(response: ServerResponse, contentSecurityPolicy: string): void {
  response.setHeader("content-security-policy", contentSecurityPolicy);
  for (const [name, value] of Object.entries(commonHeaders)) response.setHeader(name, value);
}

/** Sends a sentence in place of a page. */
export function sendText(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { ...headers, "content-type": "text/plain; charset=utf-8" }).end(`${text}\n`);
}

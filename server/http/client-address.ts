import type { IncomingMessage } from "node:http";
import { isIP, isIPv6 } from "node:net";
import type { Headed, Sender } from "./api-request.ts";

/**
 * Address of the client.
 *
 * @param trustedProxies Number of our proxies in front: the entry written by the outermost of them counts. Entries left
 *   of it in X-Forwarded-For come from the client and cannot be trusted. An entry that is no address counts as the peer's.
 */
export function clientAddress(incoming: IncomingMessage, trustedProxies: number): string {
  const direct = incoming.socket.remoteAddress ?? "unknown";
  if (trustedProxies === 0) return direct;
  const forwarded = incoming.headers["x-forwarded-for"];
  const entries = (Array.isArray(forwarded) ? forwarded.join(",") : (forwarded ?? "")).split(",");
  return addressIn(entries.at(-trustedProxies) ?? "") ?? direct;
}

/** The address of an entry: some proxies write its port too, `9.9.9.9:2001`, or quotes, `"[2001:db8::1]:2001"`. */
function addressIn(entry: string): string | undefined {
  const [, bracketed, plain] = /^\s*"?(?:\[(.+)\](?::\d+)?|([^:]+):\d+)"?\s*$/.exec(entry) ?? [];
  const address = bracketed ?? plain ?? entry.trim().replace(/^"(.*)"$/, "$1");
  return isIP(address) ? address : undefined;
}

/** Any of these says that the request came by a proxy. */
const forwardingHeaders = [
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "forwarded",
  "via",
];

/**
 * Where a request comes from. A page in a browser of this machine sends what other sites tell it to: the browser says so, or
 * the page has a name of its own for this machine, which its server of names made up.
 */
export function senderOf({ socket, headers }: IncomingMessage): Sender {
  const isForwarded = forwardingHeaders.some((name) => headers[name] !== undefined);
  if (isForwarded || !/^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "")) return "elsewhere";
  const isPage = isCrossSite({ header: (name) => headers[name]?.toString() }) || !namesMachine(headers.host);
  return isPage ? "page" : "program";
}

/** Whether a Host header has an address or `localhost`: no server of names decides what these are. */
function namesMachine(host: string | undefined): boolean {
  const name = hostnameOf(host ?? "localhost");
  return name === "localhost" || isIP(name) !== 0;
}

function hostnameOf(host: string): string {
  return URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, "") ?? "";
}

/** Whether the page of another site sent a request. A browser says so; programs say nothing of it. */
export function isCrossSite(request: Headed): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const origin = request.header("origin");
  return origin !== undefined && hostOf(origin) !== request.header("host")?.toLowerCase();
}

/** Host and port of a URL; undefined where it is none. */
export function hostOf(url: string): string | undefined {
  return (URL.canParse(url) && new URL(url).host) || undefined;
}

/** Of an IPv6 address, the part that its owner cannot choose: providers give a /64 to one customer. */
const GROUPS = 4;

/**
 * The address that requests are counted for: an IPv6 address by its /64, one that maps an IPv4 address as that address.
 *
 * @param address As a socket or a proxy writes it.
 */
export function addressGroup(address: string): string {
  if (!address.includes(":")) return address;
  const text = address.split("%")[0]!;
  if (!isIPv6(text)) return address;
  const groups = groupsOf(text);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xffff) {
    return groups
      .slice(6)
      .flatMap((group) => [group >> 8, group & 0xff])
      .join(".");
  }
  return `${groups
    .slice(0, GROUPS)
    .map((group) => group.toString(16))
    .join(":")}::/64`;
}

/** The eight groups of an IPv6 address. */
function groupsOf(text: string): number[] {
  const [before = [], after = []] = text
    .split("::")
    .map((part) => (part === "" ? [] : part.split(":").flatMap(groupOf)));
  return [...before, ...new Array<number>(8 - before.length - after.length).fill(0), ...after];
}

/** `2001` is one group, `192.0.2.1` two. */
function groupOf(text: string): number[] {
  if (!text.includes(".")) return [Number.parseInt(text, 16)];
  const [a = 0, b = 0, c = 0, d = 0] = text.split(".").map(Number);
  return [(a << 8) | b, (c << 8) | d];
}

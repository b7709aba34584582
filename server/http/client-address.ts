import type { IncomingMessage } from "node:http";
import { isIP, isIPv6 } from "node:net";
import type { Headed, Sender } from "./api-request.ts";

/**
 * Address of the client.
 *
 * @param trustedProxies Number of our proxies in front: the entry written by the outermost of them counts. Entries left
 *   of it in X-Forwarded-For come from the client and cannot be trusted. An entry that is not an address is replaced by
 *   the peer's address.
 */
export function clientAddress(incoming: IncomingMessage, trustedProxies: number): string {
  const direct = incoming.socket.remoteAddress ?? "unknown";
  if (trustedProxies === 0) return direct;
  const forwarded = incoming.headers["x-forwarded-for"];
  const entries = (Array.isArray(forwarded) ? forwarded.join(",") : (forwarded ?? "")).split(",");
  return addressIn(entries.at(-trustedProxies) ?? "") ?? direct;
}

/**
 * Returns the address of an entry. Some proxies also write its port, `9.9.9.9:2001`, or quotes, `"[2001:db8::1]:2001"`.
 */
function addressIn(entry: string): string | undefined {
  const [, bracketed, plain] = /^\s*"?(?:\[(.+)\](?::\d+)?|([^:]+):\d+)"?\s*$/.exec(entry) ?? [];
  const address = bracketed ?? plain ?? entry.trim().replace(/^"(.*)"$/, "$1");
  return isIP(address) ? address : undefined;
}

/** Any of these headers shows that the request came through a proxy. */
const forwardingHeaders = [
  "x-forwarded-for",
  "x-forwarded-host",
  "x-forwarded-proto",
  "x-real-ip",
  "forwarded",
  "via",
];

/**
 * Returns where a request comes from. A page of another site can make a browser of this machine send requests: the
 * browser says so, or the page uses a host name of its own that its name server resolves to this machine.
 */
export function senderOf({ socket, headers }: IncomingMessage): Sender {
  const isForwarded = forwardingHeaders.some((name) => headers[name] !== undefined);
  if (isForwarded || !/^(?:::ffff:)?127\.|^::1$/.test(socket.remoteAddress ?? "")) return "elsewhere";
  const isPage = isCrossSite({ header: (name) => headers[name]?.toString() }) || !namesMachine(headers.host);
  return isPage ? "page" : "program";
}

/** Returns whether a Host header has an address or `localhost`, which no name server resolves. */
function namesMachine(host: string | undefined): boolean {
  const name = hostnameOf(host ?? "localhost");
  return name === "localhost" || isIP(name) !== 0;
}

function hostnameOf(host: string): string {
  return URL.parse(`http://${host}`)?.hostname.replace(/^\[|\]$/g, "") ?? "";
}

/** Returns whether the page of another site sent a request. Browsers state this; programs do not. */
export function isCrossSite(request: Headed): boolean {
  const site = request.header("sec-fetch-site");
  if (site !== undefined) return site !== "same-origin" && site !== "none";
  const origin = request.header("origin");
  return origin !== undefined && hostOf(origin) !== request.header("host")?.toLowerCase();
}

/** Returns host and port of a URL; undefined if the text is not a URL. */
export function hostOf(url: string): string | undefined {
  return (URL.canParse(url) && new URL(url).host) || undefined;
}

/** Number of groups of an IPv6 address that its owner cannot choose: providers give a /64 to one customer. */
const GROUPS = 4;

/**
 * Returns the address that requests are counted for: the /64 of an IPv6 address, or the IPv4 address that it maps.
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

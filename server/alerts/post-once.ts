import { type LookupAddress, lookup as systemLookup } from "node:dns";
import http from "node:http";
import https from "node:https";
import { BlockList, isIP, type LookupFunction } from "node:net";
import type { DeliveryFault } from "#lib/contract/channels.ts";
import { answerOf } from "#server/platform/answer-of.ts";
import { LateError, within } from "#server/platform/deadline.ts";

/** Longest time from the lookup of the name to the end of the reply, milliseconds. */
export const MAX_POST_MS = 10_000;

/** Most bytes of the reply's body that are read, and dropped. */
const MAX_REPLY_BYTES = 16 * 1024;

export interface PostDeps {
  /** Networks that the operator allows besides the open internet, with plain http and any port. */
  allowed: BlockList;
  /** Longest time of a request, milliseconds; default: `MAX_POST_MS`. */
  maxMs?: number;
  /** Looks up names; default: the system's function. */
  lookup?: typeof systemLookup;
}

export interface PostRequest {
  url: URL;
  headers: Readonly<Record<string, string>>;
  body: string;
  signal: AbortSignal;
}

/** Reason why a delivery failed: its code, and a text for the owner of the channel. */
export interface DeliveryFailure {
  code: DeliveryFault;
  error: string;
}

/** Reply of a target. No other part of the reply leaves this module. */
export interface PostReply {
  status: number;
  /** The header as the target wrote it. */
  retryAfter: string | undefined;
}

/** The target did not answer. The message is for the owner of the channel, and names no address. */
export class TargetFailedError extends Error {
  override readonly name = "TargetFailedError";
  readonly code: DeliveryFault;

  constructor({ code, error }: DeliveryFailure, options?: ErrorOptions) {
    super(error, options);
    this.code = code;
  }
}

/**
 * Sends one POST to an address that a user chose.
 *
 * The socket's own lookup checks the address at the moment of the connection, so a name server that changes its answer
 * afterwards gains nothing. Each request has a connection of its own. Redirects and proxies are not used, and the body
 * of the reply is dropped.
 *
 * @throws ForbiddenTargetError, TargetFailedError; the signal's reason.
 */
export async function postOnce(
  { allowed, maxMs = MAX_POST_MS, lookup = systemLookup }: PostDeps,
  { url, headers, body, signal }: PostRequest,
): Promise<PostReply> {
  signal.throwIfAborted();
  const { guard } = guardedHost(url, allowed);
  const bytes = Buffer.from(body);
  const module = url.protocol === "https:" ? https : http;
  const post = async (ending: AbortSignal): Promise<PostReply> => {
    const request = module.request(url, {
      method: "POST",
      headers: { ...headers, "content-length": String(bytes.length) },
      agent: false,
      lookup: guardedLookup(guard, lookup),
      signal: ending,
    });
    try {
      const response = await answerOf(request, bytes);
      await discard(response);
      return { status: response.statusCode!, retryAfter: response.headers["retry-after"] };
    } finally {
      request.destroy();
    }
  };
  try {
    return await within(maxMs, signal, post);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof ForbiddenTargetError) throw error;
    if (error instanceof LateError)
      throw new TargetFailedError({ code: "timeout", error: `the target ${error.message}` });
    throw new TargetFailedError(failureOf(error), { cause: error });
  }
}

/**
 * Checks whether alerts may be sent to an address, by its form and by the present addresses of its name.
 *
 * @throws ForbiddenTargetError, the same for every reason.
 */
export async function checkTarget(
  { allowed, lookup = systemLookup }: Pick<PostDeps, "allowed" | "lookup">,
  url: URL,
): Promise<void> {
  const { guard, host } = guardedHost(url, allowed);
  if (isIP(host) !== 0) return;
  await new Promise<void>((resolve, reject) => {
    guardedLookup(guard, lookup)(host, { all: true }, (error) => {
      if (error) reject(new ForbiddenTargetError());
      else resolve();
    });
  });
}

/**
 * The host of a target, and a function that tells whether an address of it may be connected to: a public address by
 * https, an address that the operator allows by http too.
 *
 * @throws ForbiddenTargetError for a host that is a forbidden address itself, because sockets do not look it up.
 */
function guardedHost(url: URL, allowed: BlockList) {
  const port = Number(url.port || 443);
  const isPublicForm = url.protocol === "https:" && (port === 443 || port >= 1024);
  const guard = (address: string) =>
    isPublicForm ? isAllowedAddress(address, allowed) : isListed(address, allowed);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !guard(host)) throw new ForbiddenTargetError();
  return { host, guard };
}

/** A lookup that fails if any address of a name is forbidden, because the socket chooses among them. */
function guardedLookup(guard: (address: string) => boolean, lookup: typeof systemLookup): LookupFunction {
  return (host, options, done) => {
    lookup(host, { ...options, all: true }, (error, found: LookupAddress[]) => {
      if (error) return done(error, []);
      const isAllowed = found.length > 0 && found.every(({ address }) => guard(address));
      if (!isAllowed) return done(new ForbiddenTargetError(), []);
      if (options.all) done(null, found);
      else done(null, found[0]!.address, found[0]!.family);
    });
  };
}

/** Reads a body to its end, so that the target sees no broken connection, but no more than `MAX_REPLY_BYTES`. */
async function discard(response: http.IncomingMessage): Promise<void> {
  let length = 0;
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    length += chunk.length;
    if (length > MAX_REPLY_BYTES) break;
  }
}

const broken: DeliveryFailure = { code: "broken", error: "the target broke the connection" };
const unreachable: DeliveryFailure = { code: "unreachable", error: "the target cannot be reached" };
const untrusted: DeliveryFailure = {
  code: "certificate",
  error: "the certificate of the target is not trusted",
};

/**
 * Failures by the code of a system error. Other errors are not shown to the user, because they may quote text of a
 * target.
 */
const failures: Readonly<Record<string, DeliveryFailure>> = {
  ECONNREFUSED: { code: "refused", error: "the target refused the connection" },
  ECONNRESET: broken,
  EPIPE: broken,
  ENOTFOUND: { code: "unknown_name", error: "the name of the target is not known" },
  EAI_AGAIN: { code: "unknown_name", error: "the name of the target cannot be looked up now" },
  ETIMEDOUT: unreachable,
  CERT_HAS_EXPIRED: { code: "certificate", error: "the certificate of the target has expired" },
  DEPTH_ZERO_SELF_SIGNED_CERT: untrusted,
  SELF_SIGNED_CERT_IN_CHAIN: untrusted,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: untrusted,
  ERR_TLS_CERT_ALTNAME_INVALID: {
    code: "certificate",
    error: "the certificate of the target is for another name",
  },
};

function failureOf(error: unknown): DeliveryFailure {
  return failures[String((error as NodeJS.ErrnoException).code)] ?? unreachable;
}

/**
 * Alerts are not sent to this target. The message is the same for every reason, so that it reveals nothing about a
 * network.
 */
export class ForbiddenTargetError extends Error {
  override readonly name = "ForbiddenTargetError";
  constructor() {
    super("The address is not that of a public https service, or its name is not known");
  }
}

/**
 * Networks to which no alert is sent: IANA's registries of special-purpose addresses, and the one public address of a
 * cloud's metadata service.
 */
const FORBIDDEN_V4 =
  "0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4 168.63.129.16/32".split(
    " ",
  );

/**
 * The public part of IPv6 is its global unicast range, without the networks that IANA has reserved in it: tunnels
 * (Teredo, 6to4), tests, documentation.
 */
const PUBLIC_V6 = networks(["2000::/3"]);
const FORBIDDEN_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"];

const forbidden = networks([...FORBIDDEN_V4, ...FORBIDDEN_V6]);

/**
 * Whether alerts may be sent to an IP address.
 *
 * An IPv6 address that contains an IPv4 one (mapped, compatible, NAT64, 6to4, Teredo, ISATAP in a private prefix) is
 * outside the public networks, whatever the IPv4 address is.
 *
 * @param allowed Networks that the operator allows besides.
 */
export function isAllowedAddress(address: string, allowed: BlockList): boolean {
  return isPublicAddress(address) || isListed(address, allowed);
}

/** Whether an address belongs to the open internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !forbidden.check(address, "ipv4");
  return family === 6 && PUBLIC_V6.check(address, "ipv6") && !forbidden.check(address, "ipv6");
}

/**
 * Whether an address is in one of some networks. An IPv4-mapped address counts as the IPv4 address that it is sent to.
 */
export function isListed(address: string, list: BlockList): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? "ipv4" : "ipv6");
}

/**
 * Parses networks into a list for checks.
 *
 * @param texts Each is `10.0.0.0/8`, `fd00::/8` or one address.
 * @throws TypeError or RangeError for an invalid text.
 */
export function networks(texts: readonly string[]): BlockList {
  const list = new BlockList();
  for (const text of texts) {
    const [, address = "", prefix] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
    const family = isIP(address);
    if (family === 0) throw new TypeError(`${text} is not a network`);
    const bits = prefix === undefined ? (family === 4 ? 32 : 128) : Number(prefix);
    list.addSubnet(address, bits, family === 4 ? "ipv4" : "ipv6");
  }
  return list;
}

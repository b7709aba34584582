import { BlockList, isIP } from "node:net";

/** A target is not one that alerts are sent to. The reason is the same for all, so that it tells nothing of a network. */
export class ForbiddenTargetError extends Error {
  override readonly name = "ForbiddenTargetError";
  constructor() {
    super("The address is not that of a public https service, or its name is not known");
  }
}

/**
 * Networks that no alert is sent to: IANA's registries of special-purpose addresses, and the one address of a cloud's metadata
 * service that is public.
 */
const FORBIDDEN_V4 = [
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10",
  "127.0.0.0/8",
  "169.254.0.0/16",
  "172.16.0.0/12",
  "192.0.0.0/24",
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "168.63.129.16/32",
];

/** Of IPv6 only global unicast is public, less what IANA has set aside in it: tunnels (Teredo, 6to4), tests, documentation. */
const PUBLIC_V6 = networks(["2000::/3"]);
const FORBIDDEN_V6 = ["2001::/23", "2001:db8::/32", "2002::/16", "2620:4f:8000::/48", "3fff::/20"];

const forbidden = networks([...FORBIDDEN_V4, ...FORBIDDEN_V6]);

/**
 * Whether alerts may be sent to an IP address.
 *
 * An IPv6 address that contains an IPv4 one (mapped, compatible, NAT64, 6to4, Teredo, ISATAP in a private prefix) is outside
 * of the public networks whatever the other is.
 *
 * @param allowed What the operator allows besides.
 */
export function isAllowedAddress(address: string, allowed: BlockList): boolean {
  return isPublicAddress(address) || isListed(address, allowed);
}

/** Whether an address is one of the open internet. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address);
  if (family === 4) return !forbidden.check(address, "ipv4");
  return family === 6 && PUBLIC_V6.check(address, "ipv6") && !forbidden.check(address, "ipv6");
}

/** Whether an address is in one of some networks. An IPv4-mapped one counts as the IPv4 address that it is sent to. */
export function isListed(address: string, list: BlockList): boolean {
  const family = isIP(address);
  return family !== 0 && list.check(address, family === 4 ? "ipv4" : "ipv6");
}

/**
 * Networks as a list to check against.
 *
 * @param texts Each `10.0.0.0/8`, `fd00::/8` or one address.
 * @throws TypeError or RangeError for a text that is none.
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

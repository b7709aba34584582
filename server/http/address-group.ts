import { isIPv6 } from "node:net";

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

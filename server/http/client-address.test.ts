import type { IncomingMessage } from "node:http";
import { expect, it } from "vitest";
import { addressGroup, clientAddress } from "./client-address.ts";

const PEER = "198.51.100.7";

function addressOf(forwarded: string | undefined, trustedProxies = 1): string {
  const headers = { "x-forwarded-for": forwarded };
  return clientAddress(
    { socket: { remoteAddress: PEER }, headers } as unknown as IncomingMessage,
    trustedProxies,
  );
}

it.each([
  ["9.9.9.9", "9.9.9.9"],
  ["9.9.9.9:2001", "9.9.9.9"],
  [' "9.9.9.9:2002" ', "9.9.9.9"],
  ["2001:db8::1", "2001:db8::1"],
  ["[2001:db8::1]", "2001:db8::1"],
  ["[2001:db8::1]:2001", "2001:db8::1"],
  ['"[2001:db8::1]:2001"', "2001:db8::1"],
  ["[::ffff:9.9.9.9]:2001", "::ffff:9.9.9.9"],
  ["1.1.1.1:1, 9.9.9.9:2001", "9.9.9.9"],
])("a proxy may write the port of a client, and quotes: %s is %s", (forwarded, address) => {
  expect(addressOf(forwarded)).toBe(address);
});

it("a client has one address for all its ports, mapped into IPv6 or not", () => {
  const entries = [
    "9.9.9.9",
    "9.9.9.9:1",
    "9.9.9.9:2",
    "::ffff:9.9.9.9",
    "[::ffff:9.9.9.9]:3",
    "::ffff:909:909",
  ];
  expect(new Set(entries.map((entry) => addressGroup(addressOf(entry))))).toEqual(new Set(["9.9.9.9"]));
});

it.each([
  undefined,
  "",
  " ",
  "unknown",
  "_hidden:80",
  "1.1.1.1,",
  "9.9.9.999:80",
  "9.9.9.9:port",
  "9.9.9.9:80:80",
  "[9.9.9.9",
  "[2001:db8::1]x",
  "weather.example.org",
  "0x9090909",
  `${"1".repeat(9000)}:1`,
])("what is no address counts as the peer: %s", (forwarded) => {
  expect(addressOf(forwarded)).toBe(PEER);
});

it("entries beyond the trusted proxies are the client's own words", () => {
  expect(addressOf("9.9.9.9", 0)).toBe(PEER);
  expect(addressOf("6.6.6.6, 9.9.9.9:1, 10.0.0.1", 2)).toBe("9.9.9.9");
  expect(addressOf("9.9.9.9", 2)).toBe(PEER);
});

it.each([
  ["192.0.2.7", "192.0.2.7"],
  ["::ffff:192.0.2.7", "192.0.2.7"],
  ["::FFFF:c000:207", "192.0.2.7"],
  ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"],
  ["2001:0DB8:0001:0002::1", "2001:db8:1:2::/64"],
  ["2001:db8::1", "2001:db8:0:0::/64"],
  ["::1", "0:0:0:0::/64"],
  ["fe80::1:2%eth0", "fe80:0:0:0::/64"],
  ["64:ff9b::192.0.2.7", "64:ff9b:0:0::/64"],
  ["unknown", "unknown"],
  ["192.0.2.7:443", "192.0.2.7:443"],
  ["no:address", "no:address"],
])("counts %s as %s", (address, group) => {
  expect(addressGroup(address)).toBe(group);
});

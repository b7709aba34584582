import { expect, it } from "vitest";
import { isAllowedAddress, isPublicAddress, networks } from "./post-once.ts";

const none = networks([]);

it.each([
  "1.1.1.1",
  "8.8.8.8",
  "100.63.255.255",
  "100.128.0.0",
  "172.15.255.255",
  "172.32.0.0",
  "223.255.255.255",
  "2606:4700:4700::1111",
  "2a00:1450:4001:81b::200e",
])("sends to %s of the open internet", (address) => {
  expect(isPublicAddress(address)).toBe(true);
  expect(isAllowedAddress(address, none)).toBe(true);
});

it.each([
  ["this host", ["0.0.0.0", "0.1.2.3", "::"]],
  ["loopback", ["127.0.0.1", "127.255.255.254", "::1"]],
  [
    "private networks",
    ["10.0.0.1", "172.16.0.1", "172.31.255.255", "192.168.1.1", "fd12:3456::1", "fc00::1"],
  ],
  ["shared addresses of providers", ["100.64.0.1", "100.127.255.255"]],
  ["link-local addresses", ["169.254.0.1", "fe80::1", "fe80::1%eth0"]],
  [
    "metadata of clouds",
    ["169.254.169.254", "fd00:ec2::254", "100.100.100.200", "168.63.129.16", "192.0.0.192"],
  ],
  ["multicast and broadcast", ["224.0.0.1", "239.255.255.250", "255.255.255.255", "ff02::1"]],
  [
    "tests and documentation",
    ["192.0.2.1", "198.18.0.1", "198.51.100.1", "203.0.113.1", "2001:db8::1", "3fff::1"],
  ],
  ["IPv4 in IPv6, mapped", ["::ffff:127.0.0.1", "::ffff:7f00:1", "::ffff:8.8.8.8"]],
  ["IPv4 in IPv6, compatible", ["::127.0.0.1", "::7f00:1"]],
  ["IPv4 in IPv6, NAT64", ["64:ff9b::7f00:1", "64:ff9b::127.0.0.1", "64:ff9b:1::a00:1"]],
  ["IPv4 in IPv6, 6to4", ["2002:7f00:1::", "2002:a00:1::1"]],
  ["IPv4 in IPv6, Teredo", ["2001:0:4136:e378:8000:63bf:3fff:fdd2"]],
  ["site-local of old, and what IANA has not given out", ["fec0::1", "4000::1", "5f00::1"]],
  ["what is no address", ["", "localhost", "127.1", "0x7f000001", "2130706433", "1.1.1.1 ", "::g"]],
])("never sends to %s", (_what, addresses) => {
  for (const address of addresses) expect(isAllowedAddress(address, none), address).toBe(false);
});

it("sends to what the operator allows, and to nothing beside it", () => {
  const allowed = networks(["192.168.7.0/24", "127.0.0.1", "fd00:7::/32"]);
  for (const address of ["192.168.7.9", "127.0.0.1", "fd00:7::1", "::ffff:192.168.7.9"])
    expect(isAllowedAddress(address, allowed), address).toBe(true);
  for (const address of ["192.168.8.9", "127.0.0.2", "fd00:8::1", "::ffff:192.168.8.9", "10.0.0.1"])
    expect(isAllowedAddress(address, allowed), address).toBe(false);
});

it.each(["localhost", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/-1", "fd00::/129", "10.0.0/8", "10.0.0.0/8/8"])(
  "takes %j for no network",
  (text) => {
    expect(() => networks([text])).toThrow();
  },
);

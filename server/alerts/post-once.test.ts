import type { lookup as systemLookup } from "node:dns";
import type { ServerResponse } from "node:http";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openReceiver, type Receiver } from "#test/alerts.ts";
import {
  checkTarget,
  ForbiddenTargetError,
  isAllowedAddress,
  isPublicAddress,
  MAX_POST_MS,
  networks,
  type PostDeps,
  postOnce,
  TargetFailedError,
} from "./post-once.ts";

const none = networks([]);
const loopback = networks(["127.0.0.0/8"]);

// Time passes only where a test says so, because a slow machine must not look like a slow target.
beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));

const receivers: Receiver[] = [];
afterEach(() => {
  vi.useRealTimers();
  for (const each of receivers.splice(0)) each.close();
});

/** A receiver on this machine that records its requests. */
async function receiver(...answer: Parameters<typeof openReceiver>) {
  const opened = await openReceiver(...answer);
  receivers.push(opened);
  return { port: new URL(opened.url).port, received: opened.received };
}

/** A name server whose answers change: each query gets the next answer, and finally always the last. */
function names(...answers: string[][]) {
  const asked: string[] = [];
  const lookup = ((host: string, _options: unknown, done: (error: null, found: object[]) => void) => {
    asked.push(host);
    const found = answers.length > 1 ? answers.shift()! : answers[0]!;
    done(
      null,
      found.map((address) => ({ address, family: address.includes(":") ? 6 : 4 })),
    );
  }) as unknown as typeof systemLookup;
  return { lookup, asked };
}

const post = (deps: Partial<PostDeps>, url: string, signal = new AbortController().signal) =>
  postOnce(
    { allowed: none, ...deps },
    {
      url: new URL(url),
      headers: { "content-type": "application/json", a: "b" },
      body: '{"sea":"höh"}',
      signal,
    },
  );

it("sends one request, and reports only the status and the Retry-After", async () => {
  const { port, received } = await receiver((response) =>
    response.writeHead(429, { "retry-after": "17", "x-secret": "1" }).end("inside"),
  );
  const reply = await post({ allowed: loopback }, `http://127.0.0.1:${port}/hook?x=1`);
  expect(reply).toEqual({ status: 429, retryAfter: "17" });
  expect(received).toMatchObject([
    { url: "/hook?x=1", body: '{"sea":"höh"}', headers: { a: "b", "content-length": "14" } },
  ]);
});

it.each([
  "http://127.0.0.1:PORT/",
  "http://localhost:PORT/",
  "http://[::1]:PORT/",
  "http://[::ffff:127.0.0.1]:PORT/",
  "http://0x7f.1:PORT/",
  "http://2130706433:PORT/",
  "http://127.1:PORT/",
  "http://0:PORT/",
  "https://127.0.0.1:PORT/",
  "https://10.0.0.1/",
  "https://169.254.169.254/latest/meta-data/",
  "https://[fd00:ec2::254]/",
  "https://[64:ff9b::a9fe:a9fe]/",
])("does not connect to %s", async (form) => {
  const { port, received } = await receiver();
  await expect(post({}, form.replace("PORT", String(port)))).rejects.toThrow(ForbiddenTargetError);
  expect(received).toEqual([]);
});

it.each([
  ["http to the open internet", "http://hook.example.org/"],
  ["a port of another service", "https://hook.example.org:25/"],
])("does not send by %s", async (_what, url) => {
  const { lookup, asked } = names(["93.184.215.14"]);
  await expect(post({ lookup }, url)).rejects.toThrow(ForbiddenTargetError);
  await expect(checkTarget({ allowed: none, lookup }, new URL(url))).rejects.toThrow(ForbiddenTargetError);
  expect(asked).toHaveLength(2);
});

it("checks the address that it connects to, not an earlier address of the name", async () => {
  const { port, received } = await receiver();
  const rebinding = names(["93.184.215.14"], ["127.0.0.1"]);
  const url = `https://rebind.example.org:${port}/`;
  await checkTarget({ allowed: none, lookup: rebinding.lookup }, new URL(url));
  await expect(post({ lookup: rebinding.lookup }, url)).rejects.toThrow(ForbiddenTargetError);
  expect(rebinding.asked).toHaveLength(2);
  expect(received).toEqual([]);
});

it("refuses a name that has both a public and a non-public address", async () => {
  const { lookup } = names(["93.184.215.14", "127.0.0.1"]);
  await expect(post({ lookup }, "https://both.example.org/")).rejects.toThrow(ForbiddenTargetError);
});

it("reports the same for an unknown name and for a name inside a network", async () => {
  const inside = names(["10.0.0.1"]).lookup;
  const unknown = ((_host: string, _options: unknown, done: (error: Error) => void) =>
    done(Object.assign(new Error("getaddrinfo"), { code: "ENOTFOUND" }))) as unknown as typeof systemLookup;
  const messages = [];
  for (const lookup of [inside, unknown])
    messages.push(
      await checkTarget({ allowed: none, lookup }, new URL("https://db.internal/")).catch(
        (error: unknown) => error,
      ),
    );
  expect(messages[0]).toBeInstanceOf(ForbiddenTargetError);
  expect(messages[1]).toEqual(messages[0]);
});

it("follows no redirect", async () => {
  const inside = await receiver();
  const { port } = await receiver((response) =>
    response.writeHead(307, { location: `http://127.0.0.1:${inside.port}/` }).end(),
  );
  expect(await post({ allowed: loopback }, `http://127.0.0.1:${port}/`)).toMatchObject({ status: 307 });
  expect(inside.received).toEqual([]);
});

it("stops reading an endless reply, and accepts its status", async () => {
  let sent = 0;
  const { port } = await receiver((response) => {
    const more = () => {
      for (let wanted = true; wanted && !response.destroyed; sent += 1024)
        wanted = response.write("x".repeat(1024));
    };
    response.on("drain", more);
    more();
  });
  expect(await post({ allowed: loopback }, `http://127.0.0.1:${port}/`)).toMatchObject({ status: 200 });
  expect(sent).toBeLessThan(32 * 2 ** 20);
});

it.each([
  ["answers nothing", () => {}],
  ["never ends its reply", (response: ServerResponse) => void response.write("a")],
])("gives up after 10 s a target that %s", async (_what, answer) => {
  const asked = Promise.withResolvers<void>();
  const { port } = await receiver((response) => {
    answer(response);
    asked.resolve();
  });
  let failure: unknown;
  const posted = post({ allowed: loopback }, `http://127.0.0.1:${port}/`).catch((error: unknown) => {
    failure = error;
  });
  await asked.promise;
  await vi.advanceTimersByTimeAsync(MAX_POST_MS - 1);
  expect(failure).toBeUndefined();
  await vi.advanceTimersByTimeAsync(1);
  await posted;
  expect(failure).toBeInstanceOf(TargetFailedError);
  expect(failure).toMatchObject({ code: "timeout", message: "the target took more than 10 s" });
});

it.each([
  ["ECONNREFUSED", "refused", "the target refused the connection"],
  ["ENOTFOUND", "unknown_name", "the name of the target is not known"],
  ["CERT_HAS_EXPIRED", "certificate", "the certificate of the target has expired"],
  ["ETIMEDOUT", "unreachable", "the target cannot be reached"],
  ["EOTHER", "unreachable", "the target cannot be reached"],
])("reports a failure %s of the system as %s: %s", async (system, code, message) => {
  const lookup = ((_host: string, _options: unknown, done: (error: Error) => void) =>
    done(Object.assign(new Error("10.1.2.3"), { code: system }))) as unknown as typeof systemLookup;
  await expect(post({ allowed: loopback, lookup }, "https://hook.example.org/")).rejects.toMatchObject({
    code,
    message,
  });
});

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

it("sends to networks that the operator allows, and to no other private address", () => {
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

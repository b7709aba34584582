import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import http from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, expect, it } from "vitest";
import { findHaproxy, haproxyConfig, SERVED_BY } from "./haproxy.ts";
import { type ReverseProxy, startReverseProxy } from "./reverse-proxy.ts";

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const each of opened.splice(0)) await each.close();
});

interface Replica {
  port: number;
  answered: number;
  close(): Promise<void>;
}

/** @param answer undefined breaks the connection. */
async function replica(answer: (url: string) => number | undefined): Promise<Replica> {
  const server = http.createServer((request, response) => {
    const status = answer(request.url!);
    request.resume();
    if (request.url !== "/readyz") started.answered++;
    if (status === undefined) response.destroy();
    else request.on("end", () => response.writeHead(status).end());
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const started: Replica = {
    port: (server.address() as AddressInfo).port,
    answered: 0,
    async close() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  opened.push(started);
  return started;
}

async function before(...replicas: Replica[]): Promise<ReverseProxy> {
  const backends = replicas.map(({ port }, index) => ({ name: `web${index + 1}`, port }));
  const proxy = await startReverseProxy(0, backends);
  opened.unshift(proxy);
  await proxy.check();
  return proxy;
}

const ask = async ({ port }: ReverseProxy, method = "GET") => {
  const reply = await fetch(`http://127.0.0.1:${port}/`, {
    method,
    ...(method === "POST" && { body: "body" }),
  });
  return [reply.status, reply.headers.get(SERVED_BY)];
};

it("requests go to the ready replicas in turn", async () => {
  const ready = await Promise.all([replica(() => 200), replica(() => 200)]);
  const starting = await replica((url) => (url === "/readyz" ? 503 : 200));
  const proxy = await before(...ready, starting);
  const served = [];
  for (let request = 0; request < 4; request++) served.push((await ask(proxy))[1]);
  expect(served.sort()).toEqual(["web1", "web1", "web2", "web2"]);
});

it("a request of which nothing was sent goes to another replica, whatever its method", async () => {
  const [gone, other] = [await replica(() => 200), await replica(() => 200)];
  const proxy = await before(gone, other);
  await gone.close();
  for (const method of ["POST", "GET", "POST"]) expect(await ask(proxy, method)).toEqual([200, "web2"]);
});

it("of requests that were sent, only idempotent ones go to another replica", async () => {
  const broken = await replica((url) => (url === "/readyz" ? 200 : undefined));
  const good = await replica(() => 200);
  const proxy = await before(broken, good);
  const statuses = { GET: new Set(), POST: new Set() };
  for (const method of ["GET", "GET", "POST", "POST"] as const)
    statuses[method].add((await ask(proxy, method)).join(" "));
  expect([...statuses.GET]).toEqual(["200 web2"]);
  expect([...statuses.POST].sort()).toEqual(["200 web2", "502 web1"]);
  expect(good.answered).toBe(3);
});

it("without a ready replica the answer is 503", async () => {
  const proxy = await before(await replica(() => 503));
  expect(await ask(proxy)).toEqual([503, null]);
});

it.skipIf(findHaproxy() === undefined)("haproxy takes the configuration", () => {
  const folder = mkdtempSync(path.join(tmpdir(), "metocean-haproxy-"));
  const file = path.join(folder, "haproxy.cfg");
  const backends = [
    { name: "web1", port: 3001 },
    { name: "web2", port: 3002 },
  ];
  writeFileSync(file, haproxyConfig(3000, backends));
  try {
    expect(execFileSync(findHaproxy()!, ["-c", "-f", file]).toString()).toContain("valid");
  } finally {
    rmSync(folder, { recursive: true });
  }
});

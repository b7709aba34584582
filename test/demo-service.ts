import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, vi } from "vitest";
import { KEY, startServer } from "#e2e/server.ts";

/** The weather clock of the service. */
export const NOW = "2026-01-01T00:00:00Z";

export interface DemoService {
  /** Origin. */
  url: string;
  key: string;
  /** Sends JSON, or reads where there is no body. */
  ask(target: string, body?: object): Promise<unknown>;
  stop(): Promise<void>;
}

/** Starts the real server in the demo world and waits for its storms. The pages must have been built. @param now Its weather clock */
export async function startDemoService(now = NOW): Promise<DemoService> {
  const folder = mkdtempSync(path.join(tmpdir(), "metocean-demo-service-"));
  const server = await startServer(folder, now, "", { PROCESSES: "1" });
  const send = (target: string, body?: object) =>
    fetch(server.url + target, {
      method: body ? "POST" : "GET",
      headers: { "x-api-key": KEY, "content-type": "application/json" },
      body: body && JSON.stringify(body),
    });
  const stop = async () => {
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    const areThere = async () => expect((await send("/storms?provider=jtwc")).status).toBe(200);
    await vi.waitFor(areThere, { timeout: 100_000, interval: 200 });
  } catch (error) {
    await stop();
    throw error;
  }
  const ask = async (target: string, body?: object) => {
    const reply = await send(target, body);
    expect(reply.status, target).toBe(200);
    return reply.json();
  };
  return { url: server.url, key: KEY, ask, stop };
}

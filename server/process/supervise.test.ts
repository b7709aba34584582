import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";

const script = path.resolve(import.meta.dirname, "../../test/processes/supervised.ts");

function start(failure = ""): ChildProcess {
  const child = spawn(process.execPath, [script], {
    stdio: ["ignore", "pipe", "pipe"],
    env: { NODE_ENV: "test", PATH: process.env.PATH, FAILURE: failure },
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

it("two processes share a port; a killed one is started again, and all stop together", async () => {
  const child = start();
  const lines = createInterface(child.stdout!)[Symbol.asyncIterator]();
  const line = async () => JSON.parse((await lines.next()).value ?? "");
  const { port, key } = await line();
  expect(key).toBe("the key");
  const ask = async (target: string) => {
    const reply = await fetch(`http://127.0.0.1:${port}${target}`, { headers: { connection: "close" } });
    return reply.text();
  };
  const pids = async () => {
    const told = await ask("/metrics");
    expect(told.match(/# HELP/g)).toHaveLength(1);
    return [...told.matchAll(/pid\{process="(\d)"\} (\d+)/g)].map(([, number, pid]) => [number, Number(pid)]);
  };
  const first = await pids();
  expect(first.map(([number]) => number)).toEqual(["1", "2"]);
  const answered = new Set([await ask("/"), await ask("/"), await ask("/"), await ask("/")]);
  expect(answered).toEqual(new Set(first.map(([, pid]) => String(pid))));

  const killed = first[0]![1] as number;
  process.kill(killed, "SIGKILL");
  expect(await line()).toMatchObject({ process: 1, message: "a process died and is started again" });
  await expect.poll(async () => (await pids()).length, { timeout: 30_000 }).toBe(2);
  const second = await pids();
  expect(second).toContainEqual(first[1]);
  expect(second.flat()).not.toContain(killed);

  const exit = once(child, "exit");
  child.kill("SIGTERM");
  expect(await exit).toEqual([0, null]);
  for (const [, pid] of second) expect(() => process.kill(pid as number, 0)).toThrow("ESRCH");
});

it.each([
  ["configuration", 78, "what is wrong\n"],
  ["second", 3, ""],
  ["deaf", 3, ""],
])(
  "a process that cannot start (%s) ends all, with its status and its message once",
  async (failure, status, said) => {
    const child = start(failure);
    const [stderr, [code]] = await Promise.all([text(child.stderr!), once(child, "exit")]);
    expect([code, stderr]).toEqual([status, said]);
  },
);

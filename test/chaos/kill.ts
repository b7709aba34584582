import type { ChildProcess } from "node:child_process";
import { once } from "node:events";

/** Sends SIGKILL and waits until the process is gone. */
export async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, "exit");
  child.kill("SIGKILL");
  await gone;
}

import { spawn } from "node:child_process";

/**
 * Kills what is left of the cluster and removes its folder when this process dies, from whatever cause: a shell reads the
 * present processes, one list a line, until its input ends.
 *
 * @returns Tells it of the present processes.
 */
export function leaveNothing(folder: string): (pids: readonly number[]) => void {
  const shell = spawn("/bin/sh", ["-c", SCRIPT, "leave-nothing", folder], {
    // Not reached by Ctrl-C.
    detached: true,
    stdio: ["pipe", "ignore", "ignore"],
  });
  shell.unref();
  shell.stdin.on("error", () => {});
  (shell.stdin as unknown as { unref?(): void }).unref?.();
  return (pids) => void shell.stdin.write(`${pids.join(" ")}\n`);
}

/** An embedded PostgreSQL notices within three seconds that nobody uses it any more, and writes until then. */
const SCRIPT = `while read -r line; do pids=$line; done
[ -z "$pids" ] || kill -KILL $pids
[ -d "$1" ] || exit 0
[ -z "$pids" ] || sleep 5
rm -rf "$1"`;

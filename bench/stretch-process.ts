import { writeFileSync } from "node:fs";

// The server, which notes how long its main thread works between two rounds of the event loop, by its processor time: what
// else the machine does is not in it. On SIGUSR2 it writes the longest stretches, milliseconds, to the file STRETCHES.

/** Shorter ones are not noted, milliseconds. */
const NOTED = 5;

let stretches: number[] = [];
const file = process.env.STRETCHES ?? "";

function usedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

let last = usedMs();
function round(): void {
  const now = usedMs();
  if (now - last > NOTED) stretches.push(now - last);
  last = now;
  // It does not keep the loop awake.
  setImmediate(round).unref();
}
setImmediate(round).unref();

process.on("SIGUSR2", () => {
  writeFileSync(file, JSON.stringify(stretches.sort((a, b) => b - a)));
  stretches = [];
});

await import("#server/main.ts");

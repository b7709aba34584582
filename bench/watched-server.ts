import { readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { type MeasuredServer, startMeasuredServer } from "./measured-server.ts";
import type { Stall } from "./watch-stalls.ts";

export interface WatchedServer extends MeasuredServer {
  /** The pauses of the thread that answers requests since the call before, or since the start. */
  stalls(): Promise<Stall[]>;
}

/** As `startMeasuredServer`, with a watch on the thread that answers requests. */
export async function startWatchedServer(folder: string, now: number): Promise<WatchedServer> {
  const file = path.join(folder, "stalls");
  await writeFile(file, "");
  process.env.STALLS_FILE = file;
  process.env.NODE_OPTIONS = `--import ${path.join(import.meta.dirname, "watch-stalls.ts")}`;
  let read = 0;
  return {
    ...(await startMeasuredServer(folder, now)),
    async stalls() {
      const text = await readFile(file, "utf8");
      const lines = text.slice(read).split("\n").filter(Boolean);
      read = text.length;
      return lines.map((line) => JSON.parse(line) as Stall);
    },
  };
}

/** @returns The longest of them: as time, or as processor time of the thread, milliseconds. */
export function longest(stalls: readonly Stall[], key: "wall" | "cpu"): number {
  return Math.max(0, ...stalls.map((stall) => stall[key]));
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";
import { kill } from "./kill.ts";

const ingestProcess = path.resolve(import.meta.dirname, "../processes/ingest.ts");
const fixtures = path.resolve(import.meta.dirname, "../../server/ingest/netcdf/fixtures");

/** Two files of one day with different values: each replaces the run of the other. */
export const dayFiles = ["oisst-avhrr-v02r01.20200702.nc", "oisst-avhrr-v02r01.20200702_preliminary.nc"].map(
  (name) => path.join(fixtures, name),
) as [string, string];

/** Ingests that replace each other without a pause, each in a process of its own. */
export class IngestLoop {
  ended = 0;
  readonly complaints: string[] = [];
  readonly #archive: string;
  #child: ChildProcess | undefined;
  #next = 0;
  #stopped = false;
  #running: Promise<void> | undefined;

  /** @param archive Its folder. */
  constructor(archive: string) {
    this.#archive = archive;
  }

  /** Ingests one of the files completely. @throws Error with what the process wrote. */
  async ingest(file: string): Promise<void> {
    const { status, output } = await this.#run(file);
    if (status !== 0) throw new Error(`An ingest ended with ${status}: ${output}`);
  }

  start(): void {
    this.#running = (async () => {
      while (!this.#stopped) {
        const { status, output } = await this.#run(dayFiles[this.#next++ % 2]!);
        if (status === 0) this.ended++;
        // null: it was killed.
        else if (status !== null) this.complaints.push(`An ingest ended with ${status}: ${output}`);
      }
    })();
  }

  /** kill −9 of the ingest that runs; the next one begins. */
  async kill(): Promise<void> {
    if (this.#child) await kill(this.#child);
  }

  /** Resolves when the last ingest has ended by itself. */
  async stop(): Promise<void> {
    this.#stopped = true;
    await this.#running;
  }

  async #run(file: string): Promise<{ status: number | null; output: string }> {
    const child = spawn(process.execPath, [ingestProcess, this.#archive, "oisst", "--from", file], {
      stdio: ["ignore", "ignore", "pipe"],
    });
    this.#child = child;
    let output = "";
    child.stderr.on("data", (bytes: Buffer) => {
      output += bytes.toString();
    });
    const [status] = (await once(child, "exit")) as [number | null];
    return { status, output: output.trim() };
  }
}

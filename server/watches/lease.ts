import { randomUUID } from "node:crypto";
import type { WatchTables } from "./store.ts";

/** A process that is killed holds what it did for so long, seconds. */
const HELD_S = 20;

/** What one process at a time does, over all that share a database, by the database's clock. */
export class Lease {
  readonly #db: Pick<WatchTables, "$executeRaw">;
  readonly #name: string;
  readonly #holder = randomUUID();

  constructor(db: Pick<WatchTables, "$executeRaw">, name: string) {
    this.#db = db;
    this.#name = name;
  }

  /** Takes it, or extends it where this process has it. @returns false while another process has it. */
  async take(): Promise<boolean> {
    const taken = await this.#db.$executeRaw`
      INSERT INTO watch_lease AS known (name, holder, until)
      VALUES (${this.#name}, ${this.#holder}::uuid, now() + make_interval(secs => ${HELD_S}::float8))
      ON CONFLICT (name) DO UPDATE SET holder = excluded.holder, until = excluded.until
      WHERE known.holder = excluded.holder OR known.until <= now()`;
    return taken > 0;
  }

  async release(): Promise<void> {
    await this.#db.$executeRaw`
      DELETE FROM watch_lease WHERE name = ${this.#name} AND holder = ${this.#holder}::uuid`;
  }
}

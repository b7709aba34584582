import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { Pool } from "pg";
import { openEmbeddedPostgres } from "#server/platform/embedded-postgres.ts";

const SECONDS = 4;

/** Rows written and synced a second by the embedded PostgreSQL, by one session and by sixteen: what tasks cost at least. */
export async function bench(): Promise<void> {
  const folder = await mkdtemp(path.join(tmpdir(), "metocean-bench-"));
  const server = await openEmbeddedPostgres(folder);
  const pool = new Pool({ ...server.connection, max: 16 });
  try {
    await pool.query("create table written (id bigint generated always as identity primary key, text text)");
    for (const sessions of [1, 16]) {
      const until = performance.now() + 1000 * SECONDS;
      let written = 0;
      const write = async () => {
        while (performance.now() < until) {
          await pool.query("insert into written (text) values ($1)", ["a row as short as that of a task"]);
          written++;
        }
      };
      await Promise.all(Array.from({ length: sessions }, write));
      console.log(`synced commits, ${sessions} sessions: ${Math.round(written / SECONDS)} a second`);
    }
  } finally {
    await pool.end();
    await server.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Fails the power while the service writes: `node test/power-cut/cuts.ts [cuts]`. Each state that a disk may be in afterwards is
 * started on. Prints one line a scenario; exits 1 if something that was promised is lost, or a torn file was believed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { startPostgres } from "#test/postgres.ts";
import { openTestStore } from "#test/tasks.ts";
import { cutScenario } from "./cut-all.ts";
import { cutDatabase } from "./database.ts";
import { scenarios } from "./scenarios.ts";

const cuts = Number(process.argv[2] ?? 200);
const DATABASE_SHARE = 0.1;

const server = await startPostgres();
const dataDir = mkdtempSync(path.join(os.tmpdir(), "metocean-power-cut-"));
const { database } = await openTestStore({ dataDir, databaseUrl: await server.createDatabase("migrated") });
const complaints: string[] = [];
try {
  const all = scenarios(database.prisma);
  const each = Math.ceil((cuts * (1 - DATABASE_SHARE)) / all.length);
  for (const [seed, scenario] of all.entries()) {
    const found = await cutScenario(scenario, each, seed);
    process.stdout.write(`${scenario.name}: ${each} cuts, ${found.length} complaints\n`);
    complaints.push(...found);
  }
  const rest = cuts - each * all.length;
  const found = await cutDatabase(rest, 1);
  process.stdout.write(
    `rows are committed to the embedded database: ${rest} cuts, ${found.length} complaints\n`,
  );
  complaints.push(...found);
} finally {
  await database.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
for (const complaint of complaints) process.stderr.write(`${complaint}\n`);
process.exitCode = complaints.length === 0 ? 0 : 1;

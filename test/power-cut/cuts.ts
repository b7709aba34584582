import { mkdtempSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { labOptions } from "#test/lab-options.ts";
import { startPostgres } from "#test/postgres.ts";
import { openTestStore } from "#test/tasks.ts";
import { cutScenario } from "./cut-all.ts";
import { scenarios } from "./scenarios.ts";

const { cuts } = labOptions(
  `Fails the power while the service writes, and starts on each state that a disk may be in afterwards. Wrong is what was
promised and is lost, and a torn file that is believed.`,
  { cuts: [200, "of all scenarios"] },
);

const server = await startPostgres();
const dataDir = mkdtempSync(path.join(os.tmpdir(), "metocean-power-cut-"));
const { database } = await openTestStore({ dataDir, databaseUrl: await server.createDatabase("migrated") });
const complaints: string[] = [];
try {
  const all = scenarios(database.prisma);
  const each = Math.ceil(cuts / all.length);
  for (const [seed, scenario] of all.entries()) {
    const found = await cutScenario(scenario, each, seed);
    process.stdout.write(`${scenario.name}: ${each} cuts, ${found.length} complaints\n`);
    complaints.push(...found);
  }
} finally {
  await database.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
}
for (const complaint of complaints) process.stderr.write(`${complaint}\n`);
process.exitCode = complaints.length === 0 ? 0 : 1;

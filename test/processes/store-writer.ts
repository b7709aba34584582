import { openRunArchive } from "#server/context/run-archive.ts";
import { openDatabase } from "#server/platform/db.ts";
import { readEnv } from "#server/platform/env.ts";
import { newRun } from "#test/archive.ts";

/** A process that publishes runs of one field forever, each with another value, to the store of its environment. */
const env = readEnv();
const database = await openDatabase(env);
const archive = await openRunArchive(env, async () => database);
const grid = { latitude: { start: 0, step: 1, count: 3 }, longitude: { start: 0, step: 1, count: 3 } };
for (let value = 1; ; value++) {
  const writer = await archive.begin(newRun(grid, 1, `source-${value}`), { wait: true });
  await writer.writeField("air_temperature", {}, async () => new Float32Array(9).fill(value));
  const { id } = await writer.publish();
  process.stdout.write(`${id}\n`);
}

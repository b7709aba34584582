import { parseLimit } from "#lib/contract/limits.ts";
import { KeyStore } from "#server/keys/keys.ts";
import { readPepper } from "#server/keys/pepper.ts";
import { realClock } from "#server/platform/clock.ts";
import { openDatabase } from "#server/platform/db.ts";

/** Keys of one owner; no limit stands in their way. The database is one of this version. */
export async function makeKeys(databaseUrl: string, count: number): Promise<string[]> {
  // The folder is that of an embedded database, which is not used.
  const database = await openDatabase({ dataDir: "", databaseUrl });
  try {
    const pepper = await readPepper({ dataDir: "" }, database);
    const store = new KeyStore(database.prisma, { pepper, clock: realClock });
    const limit = parseLimit("1000000 per 1 minute")!;
    const keys: string[] = [];
    for (let index = 0; index < count; index++)
      keys.push((await store.create({ owner: "many", limit, origin: "command" })).text);
    return keys;
  } finally {
    await database.close();
  }
}

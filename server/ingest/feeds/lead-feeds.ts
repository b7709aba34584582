import type { Database } from "#server/platform/db.ts";
import type { Leadership } from "#server/platform/leadership.ts";

/** The two numbers of the advisory lock: any, and the same in every process. */
const SPACE = 1_718_773_095;
const FIELDS = 1;

/** The right to fetch fields, which one process of all that share a database has. undefined if another one has it. */
export function leadFeeds(database: Pick<Database, "lead">): Promise<Leadership | undefined> {
  return database.lead(SPACE, FIELDS);
}

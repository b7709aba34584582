/** The migration that every earlier schema is brought to, and that all later ones add to. */
export const FIRST_MIGRATION = "0001_first";

/**
 * Turns any of the schemas below into that of 0001_first: they have all that it has, and these tables and columns besides.
 * No row of any other table changes.
 */
export const ADOPTION = `
  DROP TABLE IF EXISTS "rate_process", "watch_lease";
  ALTER TABLE "rate_window" DROP COLUMN IF EXISTS "quota", DROP COLUMN IF EXISTS "granted";
  ALTER TABLE "task" DROP COLUMN IF EXISTS "worker";`;

/** What ADOPTION removes of the tables that a backup contains: whole tables, and columns by their tables. */
export const REMOVED_TABLES: readonly string[] = ["watch_lease"];
export const REMOVED_COLUMNS: Readonly<Record<string, readonly string[]>> = { task: ["worker"] };

/** The last commit whose migrations were those of `SEPARATE`. */
const LAST_SEPARATE = "10d62eb0";

/** The migrations of the commits until then, which became one. The text of none of them ever changed. */
const SEPARATE = [
  "0001_keys",
  "0002_tasks",
  "0003_storms",
  "0004_task_pieces",
  "0006_task_notifications",
  "0007_storm_origin",
  "0008_task_workers",
  "0010_storm_feed",
  "0011_storm_areas",
  "0012_feed_state",
  "0013_key_requests",
  "0014_archive_runs",
  "0015_rate_windows",
  "0016_page_files",
  "0017_many_tasks",
  "0018_watches",
  "0019_alert_delivery",
  "0020_stored_bytes",
  "0021_deleted_watches",
  "0022_delivery_fault",
];

/** SHA-256 of the texts that the one migration had before it was final, by its names. */
const EDITED: Readonly<Record<string, readonly string[]>> = {
  "0001_baseline": [
    "3041a943e0929e32ef75b854e668e38b9c682b27bc09a897db35a674e09c2db1",
    "0b4d8f0a07351dacd9dbd3901b8bb0e575f4c9fb4957987de966aeebb820d1d8",
  ],
  [FIRST_MIGRATION]: [
    "0b4d8f0a07351dacd9dbd3901b8bb0e575f4c9fb4957987de966aeebb820d1d8",
    "34f20d93a34422dffbc6ad3e446c0c7ca64e6529a89dabcbbd506f5715c4db4a",
  ],
};

/** Whether a database has one of the schemas that ADOPTION turns into that of 0001_first. */
export function isEarlierSchema(applied: readonly { name: string; checksum: string }[]): boolean {
  const [only] = applied;
  if (applied.length === 1) return EDITED[only!.name]?.includes(only!.checksum) === true;
  return isSeparate(applied.map(({ name }) => name));
}

/**
 * The migrations by which a database gets the tables for a backup's rows, less what ADOPTION removes.
 *
 * @param names Migrations of the database that was backed up.
 */
export function migrationsForRows(names: readonly string[]): readonly string[] {
  const isEdited = names.length === 1 && Object.hasOwn(EDITED, names[0]!);
  return isEdited || isSeparate(names) ? [FIRST_MIGRATION] : names;
}

/** The commit that brings a database with some of the separate migrations to a known schema; undefined for others. */
export function commitBetween(names: readonly string[]): string | undefined {
  return names.length > 0 && names.every((name) => SEPARATE.includes(name)) ? LAST_SEPARATE : undefined;
}

function isSeparate(names: readonly string[]): boolean {
  return names.join() === SEPARATE.join();
}

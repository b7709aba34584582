/** The migration that every earlier schema is converted to, and that all later migrations extend. */
export const FIRST_MIGRATION = "0001_first";

/**
 * Converts any of the schemas below to that of 0001_first. They contain everything that 0001_first has, plus these
 * tables and columns. No row of any other table changes.
 */
export const ADOPTION = `
  DROP TABLE IF EXISTS "rate_process", "watch_lease";
  ALTER TABLE "rate_window" DROP COLUMN IF EXISTS "quota", DROP COLUMN IF EXISTS "granted";
  ALTER TABLE "task" DROP COLUMN IF EXISTS "worker";`;

/** Tables, and columns by table, that ADOPTION removes and that an older backup may still contain. */
export const REMOVED_TABLES: readonly string[] = ["watch_lease"];
export const REMOVED_COLUMNS: Readonly<Record<string, readonly string[]>> = { task: ["worker"] };

/** The last commit whose migrations were those of `SEPARATE`. */
const LAST_SEPARATE = "10d62eb0";

/** The migrations up to that commit, later replaced by one. Their texts never changed, so their names identify them. */
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

/** SHA-256 of each text that the single migration had before it was final, by migration name. */
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

/** Whether ADOPTION can convert the schema of a database to that of 0001_first. */
export function isEarlierSchema(applied: readonly { name: string; checksum: string }[]): boolean {
  const [only] = applied;
  if (applied.length === 1) return EDITED[only!.name]?.includes(only!.checksum) === true;
  return isSeparate(applied.map(({ name }) => name));
}

/**
 * Selects the migrations that create the tables for the rows of a backup; the caller then drops what ADOPTION removes.
 *
 * @param names Migrations of the database that was backed up.
 */
export function migrationsForRows(names: readonly string[]): readonly string[] {
  const isEdited = names.length === 1 && Object.hasOwn(EDITED, names[0]!);
  return isEdited || isSeparate(names) ? [FIRST_MIGRATION] : names;
}

/**
 * The commit whose release brings a database with some of the separate migrations to a known schema; undefined for
 * others.
 */
export function commitBetween(names: readonly string[]): string | undefined {
  return names.length > 0 && names.every((name) => SEPARATE.includes(name)) ? LAST_SEPARATE : undefined;
}

function isSeparate(names: readonly string[]): boolean {
  return names.join() === SEPARATE.join();
}

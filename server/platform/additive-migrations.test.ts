import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";

const folder = path.join(import.meta.dirname, "../../prisma/migrations");

/**
 * Migrations that a replica of the version before does not survive, with the reason why that is accepted. They need every
 * replica to be stopped, and the release notes to say so.
 */
const exceptions: Record<string, string> = {};

/** Statements that replicas of the version before do not notice. */
const ADDITIVE = [
  /^CREATE (UNLOGGED )?TABLE\b/i,
  /^CREATE (UNIQUE )?INDEX\b/i,
  /^CREATE (OR REPLACE )?FUNCTION\b/i,
  /^CREATE (OR REPLACE )?TRIGGER\b/i,
  /^CREATE SEQUENCE\b/i,
  /^INSERT INTO\b/i,
  /^UPDATE\b/i,
  /^COMMENT ON\b/i,
];

/** A column that may be left out: statements of the version before do not know it. */
const ADDED_COLUMN =
  /^ADD COLUMN\s+(?:IF NOT EXISTS\s+)?"?\w+"?\s+(?!.*\bNOT NULL\b(?!.*\bDEFAULT\b))(?!.*\bUNIQUE\b)/is;

/** Statements of a migration, without comments; what stands between $$ is one. */
function statementsOf(sql: string): string[] {
  return sql
    .replace(/^\s*--.*$/gm, "")
    .split(/;(?=(?:[^$]|\$(?!\$))*(?:\$\$(?:[^$]|\$(?!\$))*\$\$(?:[^$]|\$(?!\$))*)*$)/)
    .map((statement) => statement.trim())
    .filter((statement) => statement !== "");
}

/** Statements that are not additive. */
function breaking(sql: string, tables: ReadonlySet<string>): string[] {
  const made = new Set([...sql.matchAll(/CREATE (?:UNLOGGED )?TABLE "(\w+)"/gi)].map(([, name]) => name!));
  return statementsOf(sql).filter((statement) => {
    const [, table, actions] = /^ALTER TABLE\s+"?(\w+)"?\s+(.*)$/is.exec(statement) ?? [];
    // What the migration itself has made, nobody uses yet.
    if (table !== undefined && actions !== undefined)
      return (
        !made.has(table) &&
        !actions.split(/,\s*(?=(?:ADD|ALTER|DROP|RENAME)\b)/i).every((each) => ADDED_COLUMN.test(each))
      );
    const [, unique] = /^CREATE UNIQUE INDEX .* ON "?(\w+)"?/is.exec(statement) ?? [];
    if (unique !== undefined && !made.has(unique) && tables.has(unique)) return true;
    return !ADDITIVE.some((form) => form.test(statement));
  });
}

it("migrations are additive, so that replicas of the version before run on beside them", () => {
  const tables = new Set<string>();
  const found: string[] = [];
  const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(names.length).toBeGreaterThan(0);
  for (const { name } of names.sort((a, b) => a.name.localeCompare(b.name))) {
    const sql = readFileSync(path.join(folder, name, "migration.sql"), "utf8");
    if (!exceptions[name]) found.push(...breaking(sql, tables).map((statement) => `${name}: ${statement}`));
    for (const [, table] of sql.matchAll(/CREATE (?:UNLOGGED )?TABLE "(\w+)"/gi)) tables.add(table!);
  }
  expect(found).toEqual([]);
});

it.each([
  'DROP TABLE "task"',
  'ALTER TABLE "task" DROP COLUMN "size"',
  'ALTER TABLE "task" RENAME COLUMN "size" TO "points"',
  'ALTER TABLE "task" ADD COLUMN "a" TEXT, ALTER COLUMN "size" TYPE BIGINT',
  'ALTER TABLE "task" ADD COLUMN "a" TEXT NOT NULL',
  'ALTER TABLE "task" ADD COLUMN "a" TEXT UNIQUE',
  'ALTER TABLE "task" ADD CONSTRAINT "short" CHECK (size < 5)',
  'ALTER TABLE "task" ALTER COLUMN "size" SET NOT NULL',
  'CREATE UNIQUE INDEX "one" ON "task"("owner")',
  'DELETE FROM "task"',
  'TRUNCATE "task"',
])("notices what is not: %s", (statement) => {
  expect(breaking(`${statement};\nCREATE TABLE "x" ();`, new Set(["task"]))).toEqual([statement]);
});

it.each([
  'ALTER TABLE "task" ADD COLUMN     "origin" TEXT',
  'ALTER TABLE "task"\n  ADD COLUMN "a" INTEGER[] NOT NULL DEFAULT ARRAY[]::INTEGER[],\n  ADD COLUMN "b" BOOLEAN NOT NULL DEFAULT false',
  'CREATE TABLE "new" ("a" TEXT NOT NULL);\nALTER TABLE "new" ADD CONSTRAINT "short" CHECK (true);\nCREATE UNIQUE INDEX "one" ON "new"("a")',
  "CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS $$\nBEGIN\n  DELETE FROM x;\n  RETURN NULL;\nEND $$;\nCREATE INDEX i ON x(a)",
])("lets pass what is: %s", (sql) => expect(breaking(`${sql};`, new Set(["task"]))).toEqual([]));

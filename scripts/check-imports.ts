// Checks the import rules of .dependency-cruiser.cjs, and that modules were found at all: with a TypeScript version
// that the tool does not know, it finds no import and no violation.

import { cruiseImports } from "#test/imports.ts";

const MODULES_AT_LEAST = 100;

const { modules, violations } = cruiseImports(process.cwd());
for (const { from, rule, to } of violations) console.error(`${rule}: ${from} → ${to}`);
if (modules < MODULES_AT_LEAST) {
  console.error(
    `Saw only ${modules} TypeScript modules of ours, fewer than ${MODULES_AT_LEAST}: the rules hold nothing.`,
  );
}
console.log(`${modules} modules, ${violations.length} forbidden imports`);
if (violations.length > 0 || modules < MODULES_AT_LEAST) process.exitCode = 1;

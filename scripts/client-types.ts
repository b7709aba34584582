// Writes the types of the TypeScript client from the contract: node scripts/client-types.ts

import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { clientTypes } from "./client-types/client-types.ts";

const folder = path.join(import.meta.dirname, "../clients/typescript/src/contract");
const files = clientTypes();

mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (!files.has(name)) rmSync(path.join(folder, name));
for (const [name, text] of files) writeFileSync(path.join(folder, name), text);
console.log(`${files.size} files in clients/typescript/src/contract`);

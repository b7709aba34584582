// Writes a file that never becomes complete, and reports when its draft exists. files.test.ts runs it.

import { writeSync } from "node:fs";
import path from "node:path";
import { makeFolder, replaceFile } from "#server/platform/files.ts";

const file = process.argv[2]!;
await makeFolder(path.dirname(file));
await replaceFile(
  file,
  (async function* () {
    yield Buffer.from("half");
    writeSync(1, "writing\n");
    await new Promise((resolve) => setInterval(resolve, 60_000));
  })(),
);

import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { root, startServer } from "./server.ts";
import { writeTestArchive, NOW } from "./test-archive.ts";

/** Makes an archive, starts the real server on it, and takes both away at the end. */
export default async function globalSetup(): Promise<() => Promise<void>> {
  if (!existsSync(path.join(root, ".next", "BUILD_ID")))
    throw new Error("Build the pages first: node scripts/setup.mjs --build");
  const dataDir = mkdtempSync(path.join(tmpdir(), "metocean-e2e-"));
  await writeTestArchive(dataDir);
  const server = await startServer(dataDir, NOW);
  process.env.E2E_URL = server.url;
  return async () => {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  };
}

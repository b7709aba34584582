import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { once } from "node:events";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readManifest } from "#server/archive/manifest.ts";
import type { Run } from "#server/archive/run.ts";
import type { Decoder } from "#server/ingest/decoder.ts";
import { ingestForTest, scratch } from "#test/ingest.ts";

const ingestProcess = fileURLToPath(new URL("../processes/ingest.ts", import.meta.url));

export interface ChaosCounts {
  kills: number;
  /** Number of kills after which the archive served the old run, and the new run. */
  old: number;
  new: number;
  /** Number of ingests that ended before they were killed. */
  late: number;
}

/** The archive is in a state that must not occur, or the ingest failed by itself. */
class ChaosError extends Error {
  override readonly name = "ChaosError";
}

/**
 * Repeatedly kills (SIGKILL) an ingest that replaces one run by another. After each kill the archive must serve one of
 * the two runs completely, and after the next ingest it must contain nothing else.
 *
 * @param files Two files of one base time and grid, with different values.
 * @param moment Resolves when the process is to be killed.
 * @throws ChaosError
 */
export async function chaosIngest(
  decoder: Decoder,
  source: string,
  files: readonly [string, string],
  kills: number,
  moment: (child: ChildProcess, kill: number) => Promise<void>,
): Promise<ChaosCounts> {
  const counts: ChaosCounts = { kills: 0, old: 0, new: 0, late: 0 };
  const archive = await scratch();
  const whole = new Map<string, string>();
  for (const file of files) {
    const run = await ingestWhole(archive, decoder, source, file);
    whole.set(contentOf(run), await digestOf(archive, run));
  }
  if (whole.size < 2) throw new ChaosError("the two files make the same run");
  for (let kill = 0; kill < kills; kill++) {
    const before = (await served(archive)).id;
    const child = spawn(process.execPath, [ingestProcess, archive, source, "--from", files[kill % 2]!], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const ended = once(child, "exit");
    await Promise.race([moment(child, kill), ended]);
    if (!child.kill("SIGKILL")) counts.late++;
    const [exitCode] = (await ended) as [number | null];
    if (exitCode) throw new ChaosError(`the ingest ended by itself with ${exitCode}`);
    counts.kills++;
    const run = await served(archive);
    if (whole.get(contentOf(run)) !== (await digestOf(archive, run)))
      throw new ChaosError(`${run.id} is not whole`);
    counts[run.id === before ? "old" : "new"]++;
    await ingestWhole(archive, decoder, source, files[kill % 2]!);
    await checkTidy(archive);
  }
  return counts;
}

async function ingestWhole(archive: string, decoder: Decoder, source: string, file: string): Promise<Run> {
  await ingestForTest(archive, decoder, source, file);
  return served(archive);
}

async function served(archive: string): Promise<Run> {
  const { runs } = await readManifest(archive);
  if (runs.length !== 1) throw new ChaosError(`the archive serves ${runs.length} runs`);
  return runs[0]!;
}

/**
 * Id of a run without its copy number, which it gets when the same content is published while the old copy is on disk.
 */
function contentOf({ id }: Run): string {
  return id.replace(/-\d+$/, "");
}

/** Digest of every byte of a run, and of the names of its files. */
async function digestOf(archive: string, run: Run): Promise<string> {
  const folder = join(archive, run.path);
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const hash = createHash("sha256");
  for (const path of paths.sort()) hash.update(path.slice(folder.length)).update(await readFile(path));
  return hash.digest("hex");
}

/** Checks that the archive contains nothing but the manifest, its run, and runs replaced in the last minutes. */
async function checkTidy(archive: string): Promise<void> {
  const { runs, replaced = [] } = await readManifest(archive);
  const folders = [...runs, ...replaced].map(({ path }) => path);
  const found = await readdir(archive, { recursive: true });
  const debris = found.filter(
    (path) =>
      path !== "manifest.json" &&
      !folders.some((folder) => folder.startsWith(path) || path.startsWith(folder)) &&
      path !== "staging",
  );
  if (debris.length > 0) throw new ChaosError(`debris is left: ${debris.join(", ")}`);
}

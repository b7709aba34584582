import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { MixedLoad } from "../load/mixed-load.ts";
import { here } from "../replicas.ts";
import type { Check } from "./check.ts";

/** Load on the old version alone, on each mixture, and on the new version alone. */
const PAUSE_MS = 3000;

/**
 * The cluster runs an earlier version, with data; then replica after replica is replaced by this version. No request may
 * fail, while both answer and compute tasks side by side, and what the old version has accepted stays as it was.
 */
export const upgrade: Check = {
  async prepare({ from }, say) {
    say(`Preparing ${from} as the version before …`);
    return { root: earlierVersion(from) };
  },
  async run(cluster, given) {
    const load = await MixedLoad.start(cluster, given.seed);
    const complaints: string[] = [];
    await delay(PAUSE_MS);
    // All tasks have ended: from now on their results must stay the same to the byte.
    complaints.push(...(await load.inspect()));
    const before = load.clients.acknowledged.length;
    // Those who read what the new version writes first, then those who write it.
    for (const replica of cluster.replicas) {
      await delay(PAUSE_MS);
      await replica.part.stop();
      await cluster.start(replica, here);
      cluster.options.say(
        `${replica.part.name} is of this version; ${load.callers.failures.length} requests failed so far`,
      );
    }
    await delay(PAUSE_MS);
    complaints.push(...(await load.stop(() => false)));
    const lines = [`from ${given.from}, with ${before} tasks of the version before`, ...load.summary()];
    return { lines, complaints };
  },
};

/** Below node_modules: what scripts/setup.mjs has done. */
const STAMPS = ".metocean";

/** A clone of an earlier commit, ready to run; it is removed when this process ends. */
function earlierVersion(revision: string): string {
  const root = mkdtempSync(path.join(os.tmpdir(), "metocean-earlier-"));
  process.once("exit", () => rmSync(root, { recursive: true, force: true }));
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
  const commit = git("-C", here, "rev-parse", "--verify", `${revision}^{commit}`);
  git("clone", "--quiet", "--shared", "--no-checkout", here, root);
  git("-C", root, "checkout", "--quiet", "--detach", commit);
  const packages = path.join(here, "node_modules");
  const linked = path.join(root, "node_modules");
  try {
    // Links to the same files: a copy takes a minute.
    execFileSync("cp", ["-al", packages, linked], { stdio: "ignore" });
  } catch {
    cpSync(packages, linked, { recursive: true, verbatimSymlinks: true });
  }
  // What setup.mjs notes of this clone would be noted of the other one too, as long as they are the same files.
  for (const stamp of readdirSync(path.join(linked, STAMPS), { withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  )) {
    rmSync(path.join(linked, STAMPS, stamp.name));
    cpSync(path.join(packages, STAMPS, stamp.name), path.join(linked, STAMPS, stamp.name));
  }
  execFileSync(process.execPath, [path.join(root, "scripts/setup.mjs"), "--build"], {
    cwd: root,
    stdio: ["ignore", "ignore", "inherit"],
  });
  return root;
}

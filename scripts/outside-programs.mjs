// Installs third-party programs that tests of clients run (test/clients/outside-programs). Nothing else needs these
// packages. `npm test` calls it. Packages that are up to date are left alone. The status is 3 where there is no
// registry, which REQUIRE_CLIENTS=1 turns into a failure.

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const EXIT_UNAVAILABLE = 3;

const folder = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "../test/clients/outside-programs");
const stamp = path.join(folder, "node_modules", ".metocean");
const wanted = createHash("sha256")
  .update(readFileSync(path.join(folder, "package-lock.json")))
  .digest("hex");

if (existsSync(stamp) && readFileSync(stamp, "utf8") === wanted) process.exit(0);
rmSync(stamp, { force: true });

// The npm that runs this script is used even if the PATH has another one or none.
const script = process.env.npm_execpath;
const [command, ...args] =
  script && /\.[cm]?js$/.test(script)
    ? [process.execPath, script]
    : [process.platform === "win32" ? "npm.cmd" : "npm"];
const { status } = spawnSync(command, [...args, "ci"], {
  cwd: folder,
  stdio: ["ignore", "inherit", "inherit"],
  shell: process.platform === "win32",
  // The options of the running npm do not apply to these packages.
  env: Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_config_(?!registry|cache)/i.test(name)),
  ),
});
if (status === 0) writeFileSync(stamp, wanted);
else process.exit(process.env.REQUIRE_CLIENTS === "1" ? 1 : EXIT_UNAVAILABLE);

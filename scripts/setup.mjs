// Prepares a fresh clone before anything is installed, without dependencies and with any Node from 20 on. Steps that
// are up to date are skipped, so a second start costs milliseconds.
//
//   node scripts/setup.mjs          packages, Prisma client, messages, types of the client, stream stations
//   node scripts/setup.mjs --build  the pages too

import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { copyServedFiles } from "./served-files.mjs";

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), "..");
const stamps = path.join(root, "node_modules", ".metocean");
const bin = path.join(root, "node_modules", ".bin");

if (Number(process.versions.node.split(".")[0]) < 20) {
  fail(`This needs Node 20 or newer to begin with (it then installs its own); here is ${process.version}.`);
}

step("packages", ["package-lock.json", ".npmrc"], [], () => {
  // With NODE_ENV=production npm would leave out the packages that build and test.
  npm(["ci", "--include=dev"], "The packages could not be installed. Is the npm registry reachable?");
});

step(
  "prisma",
  ["prisma/schema.prisma", "prisma.config.ts", "package-lock.json"],
  ["prisma/generated/client.ts"],
  () => {
    run("prisma", ["generate"], "The database client could not be generated.", {
      // Generating needs no engine, but without this setting Prisma downloads one.
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
      CHECKPOINT_DISABLE: "1",
    });
  },
);

// A container image installs the packages before the sources are there.
if (existsSync(path.join(root, "lib/messages"))) {
  step(
    "messages",
    [
      "lib/messages",
      "lib/catalog",
      "scripts/messages.ts",
      "scripts/message-arguments.ts",
      "package-lock.json",
    ],
    ["lib/messages/generated/load.ts"],
    () => run("node", ["scripts/messages.ts"], "The messages could not be compiled.", {}),
  );

  step(
    "client types",
    ["lib/contract", "lib/catalog", "lib/storms", "scripts/client-types.ts", "package-lock.json"],
    ["clients/typescript/src/contract.ts"],
    () => run("node", ["scripts/client-types.ts"], "The types of the client could not be generated.", {}),
  );

  step(
    "stream stations",
    ["server/tides/catalog.ts", "scripts/stream-stations.ts", "package-lock.json"],
    ["lib/tides/generated/stream-stations.ts"],
    () =>
      run("node", ["scripts/stream-stations.ts"], "The stations of tidal streams could not be listed.", {}),
  );
}

if (process.argv.includes("--build")) {
  const sources = [
    "app",
    "clients/typescript/src",
    "components",
    "lib",
    "public",
    "server",
    "next.config.mjs",
    "postcss.config.mjs",
    "tsconfig.json",
  ];
  step(
    "pages",
    [...sources, "package-lock.json", "prisma/schema.prisma"],
    [".next/BUILD_ID", ".next/served"],
    () => {
      run("next", ["build"], "The pages could not be built.", {
        NEXT_TELEMETRY_DISABLED: "1",
        NODE_ENV: "production",
      });
      copyServedFiles(root);
    },
  );
}

/** Runs the command that makes `outputs` if `inputs` changed since it last succeeded. */
function step(name, inputs, outputs, make) {
  const stamp = path.join(stamps, name);
  const wanted = digest(inputs);
  const done = existsSync(stamp) && readFileSync(stamp, "utf8") === wanted;
  if (done && outputs.every((output) => existsSync(path.join(root, output)))) return;
  // An interrupted step does not count as done.
  rmSync(stamp, { force: true });
  const begun = Date.now();
  console.log(`Setting up: ${name} …`);
  make();
  mkdirSync(stamps, { recursive: true });
  writeFileSync(stamp, wanted);
  console.log(`Setting up: ${name} done in ${Math.round((Date.now() - begun) / 1000)} s`);
}

/** Hash of names and contents, without tests and folders that tools write. */
function digest(inputs) {
  const hash = createHash("sha256");
  const add = (relative) => {
    const file = path.join(root, relative);
    const found = statSync(file, { throwIfNoEntry: false });
    if (!found) return;
    if (found.isDirectory()) {
      for (const name of readdirSync(file).sort()) add(`${relative}/${name}`);
    } else if (!/\.(test|bench)\.tsx?$|\/fixtures\/|^lib\/messages\/generated\//.test(relative)) {
      hash.update(`${relative}\0${found.size}\0`).update(readFileSync(file));
    }
  };
  for (const input of inputs) add(input);
  return hash.digest("hex");
}

function npm(args, problem) {
  // The npm that runs this script is used even if the PATH has another one or none.
  const script = process.env.npm_execpath;
  if (script && /\.[cm]?js$/.test(script)) return execute(process.execPath, [script, ...args], problem, {});
  return execute(process.platform === "win32" ? "npm.cmd" : "npm", args, problem, {});
}

/** Runs a tool of the packages with the packages' Node. */
function run(tool, args, problem, env) {
  execute(path.join(bin, tool), args, problem, {
    ...env,
    PATH: `${bin}${path.delimiter}${process.env.PATH ?? ""}`,
  });
}

function execute(command, args, problem, env) {
  const { status, error } = spawnSync(command, args, {
    cwd: root,
    // Only a tool's report of problems is shown; npm's own progress goes to stderr too.
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, ...env },
    shell: process.platform === "win32",
  });
  if (status !== 0) fail(error ? `${problem} ${error.message}` : problem);
}

function fail(message) {
  console.error(message);
  process.exit(1);
}

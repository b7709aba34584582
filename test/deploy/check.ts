import { execFileSync, spawnSync } from "node:child_process";
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { labOptions } from "#test/lab-options.ts";
import { startPostgres } from "#test/postgres.ts";
import { type Replica, startReplica } from "#test/replicas.ts";
import { until } from "#test/until.ts";
import { copy, copyContext, environmentOf, only, parseDockerfile, type Stage } from "./dockerfile.ts";

const root = path.join(import.meta.dirname, "../..");
const begun = performance.now();

/** User of a test server, who owns its DATA_DIR and nothing else. */
const NOBODY = 65_534;

const KEY = "the-key-of-the-check";

/** Instruction of the last stage that needs root, which the check does in another way. */
const DATA_FOLDER = "install --directory --owner=node --group=node /data";

function say(text: string): void {
  console.log(`${((performance.now() - begun) / 1000).toFixed(0).padStart(4)} s  ${text}`);
}

function demand(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
  say(`ok: ${what}`);
}

/** Executes the instructions of a stage in a folder. @param built Folder of the previous stage. */
function make(stage: Stage, context: string, folder: string, built?: string): void {
  for (const { name, rest } of stage.instructions) {
    if (name === "COPY") copy(rest, rest.startsWith("--from=build") ? built! : context, folder);
    if (name !== "RUN" || rest === DATA_FOLDER) continue;
    if (built) throw new Error(`The last stage runs ${rest}, which the check does not know`);
    say(`RUN ${rest}`);
    // The environment contains nothing of this checkout, neither settings nor packages.
    const { PATH = "", HOME } = process.env;
    const outside = PATH.split(":").filter((each) => !each.includes("node_modules"));
    const searched = [path.dirname(process.execPath), ...outside].join(":");
    const env = { HOME, PATH: searched, NODE_ENV: undefined } as unknown as NodeJS.ProcessEnv;
    execFileSync("sh", ["-c", rest], { cwd: folder, env, stdio: ["ignore", "inherit", "inherit"] });
  }
}

const values = labOptions(
  `Does what deploy/Dockerfile says in a clean folder, without a container, then runs the result as a user who may write to nothing
but DATA_DIR. It takes minutes, the npm registry, and root (to become another user).`,
  { folder: ["", "keeps what is built there; with the same folder again, only the running is checked"] },
);
if (process.getuid?.() !== 0) throw new Error("This check becomes another user: run it as root.");
if (values.folder) mkdirSync(values.folder, { recursive: true });
const work = values.folder
  ? path.resolve(values.folder)
  : mkdtempSync(path.join(tmpdir(), "metocean-deploy-"));
execFileSync("chmod", ["755", work]);
const [context, built, image] = ["context", "build", "image"].map((name) => path.join(work, name));
const [buildStage, imageStage] = parseDockerfile(readFileSync(path.join(root, "deploy/Dockerfile"), "utf8"));
const database = await startPostgres();
const replicas: Replica[] = [];
try {
  if (!existsSync(path.join(work, "built.ok"))) {
    copyContext(root, context!);
    mkdirSync(built!);
    make(buildStage!, context!, built!);
    mkdirSync(image!);
    make(imageStage!, context!, image!, built);
    execFileSync("chmod", ["-R", "a-w,a+rX", image!]);
    writeFileSync(path.join(work, "built.ok"), "");
  }
  const [size = ""] = execFileSync("du", ["-sm", image!], { encoding: "utf8" }).split("\t");
  say(`the image has ${size} MiB without Node`);

  const url = await database.createDatabase("empty");
  // The socket is in folders that are closed to other users, but the replicas run as another user.
  const socketFolder = new URL(url).searchParams.get("host")!;
  for (const folder of [socketFolder, path.dirname(socketFolder)]) chmodSync(folder, 0o711);
  const [, command = "[]"] = /^(\[.*\])$/.exec(only(imageStage!, "CMD")) ?? [];
  demand(command === '["node", "server/main.ts"]', "it starts the server");
  const start = async (role: string, more: Record<string, string> = {}) => {
    const dataDir = mkdtempSync(path.join(work, "data-"));
    chownSync(dataDir, NOBODY, NOBODY);
    const settings = {
      ...environmentOf(imageStage!),
      ...{ HOST: "127.0.0.1", PORT: "0", DATA_DIR: dataDir, DATABASE_URL: url, ROLE: role },
      ...{ BOOTSTRAP_API_KEY: KEY, DEMO: "always", LOG_LEVEL: "warn", ...more },
    };
    const replica = await startReplica(settings, 0, { cwd: image!, uid: NOBODY, gid: NOBODY });
    replicas.push(replica);
    return replica;
  };
  const web = await start("all");
  const ask = (target: string, body?: object) =>
    web.ask(target, { method: body ? "POST" : "GET", headers: { "x-api-key": KEY }, body });
  const ready = await ask("/readyz");
  demand(ready.status === 200, `/readyz is 200 on an empty database, which it migrated: ${ready.body}`);
  const point = { latitude: 48.5, longitude: -5.2, timestamp: new Date().toISOString().slice(0, 13) };
  const points = [{ ...point, timestamp: `${point.timestamp}:00:00Z` }];
  const answer = await ask("/MetOcean", { points, variables: ["wind"] });
  demand(answer.body.includes("Winds_10m_Intensity"), "POST /MetOcean answers a point");
  const task = await ask("/MetOcean/async", { points, variables: ["wave"] });
  demand(task.status === 202, "a task is accepted");
  const page = await ask("/");
  const [script = "/none"] = /\/_next\/static\/[^"]+\.js/.exec(page.body) ?? [];
  demand(page.status === 200 && page.body.includes("<title>"), "GET / is a page");
  demand((await ask(script)).status === 200, `its script ${script} is there`);
  demand((await ask("/metrics")).body.includes("tasks_pending"), "/metrics has the queue");
  const { task_id: id } = JSON.parse(task.body) as { task_id: string };
  await until(async () => (await ask(`/task/${id}`)).body.includes('"status":"SUCCESS"'), 200);
  say("ok: the task is computed, in a thread");
  const healthOf = (port: string) =>
    spawnSync(process.execPath, ["deploy/healthcheck.mjs"], {
      ...{ cwd: image!, uid: NOBODY, gid: NOBODY },
      env: { PATH: "/usr/bin:/bin", PORT: port } as unknown as NodeJS.ProcessEnv,
    }).status;
  demand(healthOf(new URL(web.url).port) === 0, "the health check of the image says that it is healthy");
  demand(healthOf("1") === 1, "and that a port where nobody listens is not");

  const written = spawnSync("find", [image!, "-newer", path.join(work, "built.ok"), "-type", "f"]);
  demand(written.stdout.toString() === "", "nothing was written into the image");
  for (const replica of replicas) {
    demand((await replica.stop()) === 0, "SIGTERM ends it with 0");
    const complaint = /EACCES|EROFS|EPERM|permission denied|read-only/i.exec(replica.output());
    demand(
      !complaint,
      `it tried to write nothing that it may not${complaint ? `:\n${replica.output()}` : ""}`,
    );
  }
  console.log(
    "Everything that deploy/Dockerfile says works without a container. The image itself was not built.",
  );
} finally {
  for (const replica of replicas) await replica.stop();
  await database.stop();
  if (!values.folder) rmSync(work, { recursive: true, force: true });
}

import { execFile, execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { promisify } from "node:util";
import { newKey } from "#test/chaos/new-key.ts";
import { baseEnv, isReadyAt, Part, type PartOptions, servicePart } from "#test/chaos/part.ts";
import { type DatabaseProxy, databaseProxy } from "#test/database-proxy.ts";
import { startPostgres } from "#test/postgres.ts";
import { BUCKET } from "#test/s3/start-s3.ts";
import type { StoreFault } from "#test/s3/store-proxy.ts";
import { openSmtpStub, type SmtpStub } from "#test/smtp-stub.ts";
import { unusedPort } from "#test/unused-port.ts";

export interface ClusterOptions {
  /** Weather clock, which stands still, ISO 8601. */
  now: string;
  /** Error of the replicas' clocks, alternately ahead and behind, seconds. */
  skewS: number;
  /** Additional settings of the second web replica. */
  second?: Readonly<Record<string, string>>;
  /** Receives a description of each step. */
  say(text: string): void;
}

type Role = "web" | "worker" | "ingest";

/** A replica with its address. */
export interface Replica {
  part: Part;
  role: Role;
  url: string;
}

/** Behaviour of the store at each request. */
export interface StoreState {
  /** Additional latency of each request, milliseconds. */
  latencyMs: number;
  /** Fault of each request. */
  fault?: StoreFault;
}

export const workingStore: StoreState = { latencyMs: 30 };

/** The whole topology on one machine. */
export interface Cluster {
  /** Address of the reverse proxy. */
  url: string;
  /** Address of a single machine with a local archive of the same content, for comparisons. */
  singleUrl: string;
  /** Keys of two owners with email addresses, two of the first owner; their limits do not matter. */
  keys: string[];
  /** Key of an owner without an address. The single machine accepts it too. */
  loadKey: string;
  folder: string;
  options: ClusterOptions;
  smtp: SmtpStub;
  database: DatabaseProxy;
  replicas: Replica[];
  parts: Part[];
  setStore(state: StoreState): Promise<void>;
  /** Starts a replica. Resolves when it works and requests reach it. */
  start(replica: Replica): Promise<void>;
  close(): Promise<void>;
}

const COUNTS = { web: 2, worker: 2, ingest: 1 };

/** Matches the output of a replica without requests once it works. */
const BEGUN = /(computes tasks|fetches feeds) and serves no requests/;

/** The key that every replica accepts, created from the environment. */
const LOAD_KEY = "cluster-key-0123456789";

/** Header with the name of the replica that handled a request. The proxy adds it to its own errors too. */
export const SERVED_BY = "x-served-by";

const ARCHIVE_URL = `s3://${BUCKET}/archive`;

const shiftClock = path.join(import.meta.dirname, "shift-clock.ts");
const root = path.resolve(import.meta.dirname, "../..");

/** Starts database, store, hosts of feeds, mail, proxy and replicas, and waits until all work. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { say, now, skewS } = options;
  const folder = mkdtempSync(path.join(os.tmpdir(), "metocean-cluster-"));
  for (const name of ["logs", "store"]) mkdirSync(path.join(folder, name));
  const parts: Part[] = [];
  const logOf = (name: string) => path.join(folder, "logs", `${name}.log`);
  const begin = (name: string, command: PartOptions["command"], port: number) => {
    const isReady = async () => (await fetch(`http://127.0.0.1:${port}/`)).arrayBuffer().then(() => true);
    const part = new Part({ name, command, env: {}, log: logOf(name), isReady });
    parts.push(part);
    part.start();
    return part.ready();
  };

  say("Starting PostgreSQL, the S3 store and the hosts of feeds …");
  const smtp = await openSmtpStub();
  const postgres = await startPostgres();
  const database = await databaseProxy(await postgres.createDatabase("empty"));
  const [storePort, controlPort, mirrorPort] = [await unusedPort(), await unusedPort(), await unusedPort()];
  const setStore = async (state: StoreState) => {
    await fetch(`http://127.0.0.1:${controlPort}/`, { method: "POST", body: JSON.stringify(state) });
  };
  const storeScript = path.join(import.meta.dirname, "store-process.ts");
  const storeArgs = [path.join(folder, "store"), String(storePort), String(controlPort)];
  const mirrorArgs = ["mirror", "--port", String(mirrorPort), "--grid", "2.5", "--now", now, "--speed", "0"];
  await Promise.all([
    begin("store", [process.execPath, storeScript, ...storeArgs], controlPort),
    begin("mirror", [process.execPath, path.join(root, "test/lab.ts"), ...mirrorArgs], mirrorPort),
  ]);

  const common = {
    LOG_LEVEL: "warn",
    SMTP_URL: smtp.url,
    BOOTSTRAP_API_KEY: LOAD_KEY,
    BOOTSTRAP_API_KEY_LIMIT: "999999999 per 1 minute",
    METOCEAN_NOW: now,
  };
  const feeds = { FEEDS: "lite,gfs", FEED_MIRROR: `http://127.0.0.1:${mirrorPort}` };
  const store = {
    AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${storePort}`,
    AWS_REGION: "us-east-1",
    AWS_ACCESS_KEY_ID: "S3RVER",
    AWS_SECRET_ACCESS_KEY: "S3RVER",
  };
  say("Fetching feeds, and pushing the archive into the store …");
  const singleDir = path.join(folder, "single");
  const filling = { ...baseEnv(), ...common, ...feeds, ...store, DATA_DIR: singleDir };
  for (const args of [
    ["feeds", "now"],
    ["archive", "push", ARCHIVE_URL],
  ])
    await promisify(execFile)(process.execPath, ["server/cli.ts", ...args], { cwd: root, env: filling });
  await setStore(workingStore);

  // Each replica is a machine of its own: only the database and the store are shared.
  const shared = {
    ...common,
    ...feeds,
    ...store,
    DATABASE_URL: database.url,
    ARCHIVE_URL,
    BLOB_URL: `s3://${BUCKET}/tasks`,
    TRUSTED_PROXIES: "1",
    // The wait is longer than the proxy takes to notice that a replica is not ready.
    DRAIN_WAIT: "4 seconds",
  };
  // The first command creates what the database needs; all others would wait for it.
  say("Making keys …");
  const keys: string[] = [];
  for (const owner of ["one", "one", "two"])
    keys.push(await newKey(owner, { ...shared, DATA_DIR: path.join(folder, "keys") }));

  const replicas: Replica[] = [];
  for (const role of ["web", "worker", "ingest"] as const)
    for (let number = 1; number <= COUNTS[role]; number++) {
      const name = `${role}${number}`;
      const port = role === "web" ? await unusedPort() : 0;
      const url = `http://127.0.0.1:${port}`;
      const clock = { CLOCK_SHIFT_S: String(replicas.length % 2 === 0 ? skewS : -skewS) };
      const own = { DATA_DIR: path.join(folder, name), ROLE: role, PORT: String(port) };
      const env = { ...shared, ...own, ...clock, ...(name === "web2" && options.second) };
      const isReady = async (part: Part) => (role === "web" ? isReadyAt(url) : BEGUN.test(part.output()));
      replicas.push({ role, url, part: servicePart(name, { env, log: logOf(name), isReady }, shiftClock) });
    }
  const singlePort = await unusedPort();
  const singleUrl = `http://127.0.0.1:${singlePort}`;
  const single = servicePart("single", {
    env: { ...common, DATA_DIR: singleDir, PORT: String(singlePort) },
    log: logOf("single"),
    isReady: () => isReadyAt(singleUrl),
  });
  say("Starting the replicas and the proxy …");
  const services = [...replicas.map(({ part }) => part), single];
  parts.push(...services);
  for (const part of services) part.start();
  await Promise.all(services.map((part) => part.ready()));
  const webs = replicas.filter(({ role }) => role === "web");
  const port = await unusedPort();
  const url = `http://127.0.0.1:${port}`;
  await begin("proxy", haproxyCommand(path.join(folder, "haproxy.cfg"), port, webs), port);
  await Promise.all(webs.map(({ part }) => untilServedBy(url, part.name)));
  return {
    ...{
      url,
      singleUrl,
      keys,
      loadKey: LOAD_KEY,
      folder,
      options,
      smtp,
      database,
      replicas,
      parts,
      setStore,
    },
    async start({ part, role }) {
      part.start();
      await part.ready();
      if (role === "web") await untilServedBy(url, part.name);
    },
    async close() {
      // Parts that need others stop first.
      for (const each of parts.toReversed()) await each.stop();
      await database.close();
      await postgres.stop();
      await smtp.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Waits until the reverse proxy sends requests to a replica. */
async function untilServedBy(url: string, name: string): Promise<void> {
  for (const deadline = performance.now() + 60_000; ; ) {
    const reply = await fetch(`${url}/healthz`);
    await reply.arrayBuffer();
    if (reply.ok && reply.headers.get(SERVED_BY) === name) return;
    if (performance.now() > deadline) throw new Error(`The proxy gives no requests to ${name}`);
    await delay(100);
  }
}

/**
 * Configuration of the reverse proxy: health checks by /readyz, and each request goes to the next replica. A request
 * whose connection could not be opened goes to another replica; one that was sent does so only if it is idempotent.
 *
 * @throws Error where haproxy is not installed, or rejects its configuration.
 */
function haproxyCommand(file: string, port: number, webs: readonly Replica[]): [string, ...string[]] {
  const places = ["/usr/sbin/haproxy", "/usr/local/sbin/haproxy", "/opt/homebrew/bin/haproxy"];
  const program = places.find((place) => existsSync(place));
  if (!program) throw new Error("The cluster needs haproxy: install it first");
  const servers = webs.map(({ part, url }) => `  server ${part.name} ${new URL(url).host}`);
  const config = `global
  maxconn 8192
defaults
  mode http
  timeout connect 2s
  timeout client 150s
  timeout server 150s
  timeout http-request 10s
  # Longer than clients keep a connection that they do not use.
  timeout http-keep-alive 120s
  timeout queue 5s
  # A replica that is busy is not one that is gone.
  timeout check 5s
  retries 3
  option redispatch 1
  # Each request has a connection of its own to a replica: one that is kept open may be closed as a request is sent.
  option http-server-close
frontend cluster
  bind 127.0.0.1:${port}
  http-request disable-l7-retry if !{ method GET HEAD DELETE PUT }
  http-after-response set-header ${SERVED_BY} %[srv_name]
  option forwardfor
  default_backend replicas
backend replicas
  balance roundrobin
  retry-on conn-failure empty-response
  option httpchk
  http-check send meth GET uri /readyz ver HTTP/1.1 hdr host cluster
  http-check expect status 200
  default-server check inter 1s fall 2 rise 1 observe layer4 error-limit 1 on-error mark-down
${servers.join("\n")}
`;
  writeFileSync(file, config);
  execFileSync(program, ["-c", "-q", "-f", file]);
  return [program, "-db", "-f", file];
}

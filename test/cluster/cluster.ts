import { mkdirSync, mkdtempSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { newKey } from "#test/chaos/new-key.ts";
import { openSmtpStub, type SmtpStub } from "#test/smtp-stub.ts";
import { unusedPort } from "#test/unused-port.ts";
import { type ClusterDatabase, startDatabase } from "./database.ts";
import { FEEDS, fillStore } from "./fill.ts";
import { type Backend, haproxyCommand, SERVED_BY } from "./haproxy.ts";
import { leaveNothing } from "./leave-nothing.ts";
import { Part, type PartOptions } from "./part.ts";
import { baseEnv, childrenOf, here, isReplicaReady, type Role, replicaCommand } from "./replicas.ts";
import {
  ARCHIVE_URL,
  BLOB_URL,
  type StoreState,
  setStore,
  storeCommand,
  storeEnv,
  storeStates,
} from "./store.ts";

export interface ClusterOptions {
  /** Weather clock, which stands still, ISO. */
  now: string;
  /** How wrong the clocks of some replicas are, seconds by name. */
  clockShifts?: Readonly<Record<string, number>>;
  /** Settings that only some replicas have, by name. */
  settings?: Readonly<Record<string, Readonly<Record<string, string>>>>;
  /** Told what is being done. */
  say(text: string): void;
}

/** A replica and where it is found. */
export interface Replica {
  part: Part;
  role: Role;
  port: number;
}

/** The whole topology on one machine. */
export interface Cluster {
  /** Address of the reverse proxy. */
  url: string;
  /** Address of a single machine on a local archive of the same content, to compare answers with. */
  singleUrl: string;
  /** Of two owners who have mail addresses, the first of them twice; no limit stands in their way. */
  keys: string[];
  /** Of owners without an address; the single machine takes it too. */
  loadKey: string;
  folder: string;
  options: ClusterOptions;
  smtp: SmtpStub;
  database: ClusterDatabase;
  replicas: Replica[];
  parts: Part[];
  setStore(state: StoreState): Promise<number>;
  /** Starts a replica; resolves when it works and requests reach it. */
  start(replica: Replica): Promise<void>;
  close(): Promise<void>;
}

const COUNTS = { web: 2, worker: 2, ingest: 1 };

/** The keys that every replica takes: the environment makes them. */
const KEYS = ["cluster-key-one-0123456789", "cluster-key-two-0123456789"] as const;

/** Starts database, store, feeds' hosts, mail, proxy and replicas, and waits until all work. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  const { say, now } = options;
  const folder = mkdtempSync(path.join(os.tmpdir(), "metocean-cluster-"));
  const tell = leaveNothing(folder);
  const parts: Part[] = [];
  const report = () => {
    const pids = parts.flatMap(({ pid }) => pid ?? []);
    tell(pids);
    void Promise.all(pids.map(childrenOf)).then((children) => tell([...pids, ...children.flat()]));
  };
  for (const name of ["logs", "store"]) mkdirSync(path.join(folder, name));
  const part = (
    name: string,
    options: Pick<PartOptions, "command" | "env" | "isReady"> & { cwd?: string },
  ) => {
    const log = path.join(folder, "logs", `${name}.log`);
    const made = new Part({ name, cwd: here, log, onChange: report, ...options });
    parts.push(made);
    return made;
  };
  const answers = (port: number) => async () => {
    const reply = await fetch(`http://127.0.0.1:${port}/`);
    await reply.arrayBuffer();
    return true;
  };

  say("Starting PostgreSQL, the S3 store and the hosts of feeds …");
  const smtp = await openSmtpStub();
  const database = await startDatabase(path.join(folder, "database"), await unusedPort());
  const [storePort, controlPort, mirrorPort] = [await unusedPort(), await unusedPort(), await unusedPort()];
  const store = part("store", {
    command: storeCommand(path.join(folder, "store"), storePort, controlPort),
    env: baseEnv(),
    isReady: answers(controlPort),
  });
  const mirror = part("mirror", {
    command: [
      process.execPath,
      path.join(here, "test/lab.ts"),
      ...["mirror", "--port", String(mirrorPort), "--grid", "2.5", "--now", now, "--speed", "0"],
    ],
    env: baseEnv(),
    isReady: answers(mirrorPort),
  });
  for (const each of [store, mirror]) each.start();
  await Promise.all([store.ready(), mirror.ready()]);

  const mirrorUrl = `http://127.0.0.1:${mirrorPort}`;
  const common = {
    LOG_LEVEL: "warn",
    SMTP_URL: smtp.url,
    BOOTSTRAP_API_KEY: KEYS[0],
    BOOTSTRAP_API_KEY_2: KEYS[1],
    BOOTSTRAP_API_KEY_LIMIT: "999999999 per 1 minute",
    METOCEAN_NOW: now,
  };
  const env = {
    ...common,
    DATABASE_URL: database.url,
    ARCHIVE_URL,
    BLOB_URL,
    TRUSTED_PROXIES: "1",
    // Longer than the proxy takes to see that a replica is not ready.
    DRAIN_WAIT: "4 seconds",
    FEEDS,
    FEED_MIRROR: mirrorUrl,
    ...storeEnv(storePort),
  };
  const singleDir = path.join(folder, "single");
  say("Fetching feeds, and pushing the archive into the store …");
  await fillStore({ dataDir: singleDir, mirror: mirrorUrl, storeEnv: storeEnv(storePort), now });
  await setStore(controlPort, storeStates.ok);

  // The first creates what the database needs; all others would wait for it.
  say("Making keys …");
  const keys = [];
  for (const owner of ["one", "one", "two"])
    keys.push(await newKey(owner, { ...env, DATA_DIR: path.join(folder, "keys") }));

  // Machines of their own: nothing is shared but the database and the store.
  const commandOf = (name: string, role: Role, port: number) =>
    replicaCommand({
      role,
      port,
      env: { ...env, DATA_DIR: path.join(folder, name), ...options.settings?.[name] },
      clockShiftS: options.clockShifts?.[name],
    });
  const replicas: Replica[] = [];
  for (const role of ["web", "worker", "ingest"] as const) {
    for (let number = 1; number <= COUNTS[role]; number++) {
      const name = `${role}${number}`;
      const port = role === "web" ? await unusedPort() : 0;
      const replica: Replica = {
        role,
        port,
        part: part(name, {
          ...commandOf(name, role, port),
          isReady: () => isReplicaReady(replica.part, role, port),
        }),
      };
      replicas.push(replica);
    }
  }
  const backends: Backend[] = replicas.flatMap(({ part: { name }, role, port }) =>
    role === "web" ? [{ name, port }] : [],
  );
  const port = await unusedPort();
  const url = `http://127.0.0.1:${port}`;
  part("proxy", {
    command: haproxyCommand(path.join(folder, "haproxy.cfg"), port, backends),
    env: baseEnv(),
    isReady: answers(port),
  });
  const singlePort = await unusedPort();
  const singleUrl = `http://127.0.0.1:${singlePort}`;
  const alone = replicaCommand({ role: "web", port: singlePort, env: { ...common, DATA_DIR: singleDir } });
  part("single", {
    ...alone,
    env: { ...alone.env, ROLE: "all" },
    isReady: async () => (await fetch(`${singleUrl}/readyz`)).ok,
  });

  say("Starting the replicas and the proxy …");
  const rest = parts.filter((each) => !each.isRunning);
  for (const each of rest) each.start();
  await Promise.all(rest.map((each) => each.ready()));

  const cluster: Cluster = {
    url,
    singleUrl,
    keys,
    loadKey: KEYS[0],
    folder,
    options,
    smtp,
    database,
    replicas,
    parts,
    setStore: (state) => setStore(controlPort, state),
    async start({ part, role }) {
      part.start();
      await part.ready();
      if (role === "web") await untilServedBy(url, part.name);
    },
    async close() {
      // What needs others first.
      for (const each of parts.toReversed()) await each.close();
      await database.stop();
      await smtp.close();
      tell([]);
    },
  };
  await Promise.all(backends.map(({ name }) => untilServedBy(url, name)));
  return cluster;
}

/** Waits until the reverse proxy gives requests to a replica. */
async function untilServedBy(url: string, name: string): Promise<void> {
  for (const deadline = performance.now() + 60_000; ; ) {
    const reply = await fetch(`${url}/healthz`);
    await reply.arrayBuffer();
    if (reply.ok && reply.headers.get(SERVED_BY) === name) return;
    if (performance.now() > deadline) throw new Error(`The proxy gives no requests to ${name}`);
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import os from "node:os";
import path from "node:path";
import { Client } from "pg";

export interface Cluster {
  /** Makes an empty database. @returns Its DATABASE_URL. */
  fresh(): Promise<string>;
  stop(): Promise<void>;
}

/** Folder of the newest PostgreSQL server of this machine; undefined where there is none. */
export function findPostgres(): string | undefined {
  const debian = "/usr/lib/postgresql";
  const versions = existsSync(debian) ? readdirSync(debian).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => path.join(debian, version, "bin")),
    ...(process.env.PATH ?? "").split(path.delimiter),
  ];
  return folders.find(
    (folder) => existsSync(path.join(folder, "initdb")) && existsSync(path.join(folder, "postgres")),
  );
}

/** Starts a throw-away cluster that listens on a unix socket in a folder of its own. */
export async function startPostgres(bin: string): Promise<Cluster> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "metocean-pg-"));
  // PostgreSQL refuses to run as root.
  const user: { uid?: number; gid?: number } = process.getuid?.() === 0 ? unprivileged() : {};
  if (user.uid !== undefined) chownSync(folder, user.uid, user.gid!);
  const data = path.join(folder, "data");
  const initdb = ["-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--locale=C", "--no-sync"];
  execFileSync(path.join(bin, "initdb"), initdb, {
    ...user,
    cwd: folder,
    stdio: ["ignore", "ignore", "pipe"],
  });

  // A server of another time zone shows whether times survive it.
  const settings = ["listen_addresses=", "fsync=off", "timezone=Asia/Tokyo", "max_connections=40"];
  const server = spawn(
    path.join(bin, "postgres"),
    ["-D", data, "-k", folder, ...settings.flatMap((setting) => ["-c", setting])],
    { ...user, cwd: folder, stdio: ["ignore", "ignore", "pipe"] },
  );
  const killed = () => server.kill("SIGQUIT");
  process.once("exit", killed);
  const gone = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  await new Promise<void>((resolve, reject) => {
    let said = "";
    server.stderr.on("data", (text: Buffer) => {
      said += text;
      if (said.includes("ready to accept connections")) resolve();
    });
    server.once("exit", () => reject(new Error(`PostgreSQL did not start:\n${said}`)));
  });

  let made = 0;
  return {
    async fresh() {
      const name = `test_${++made}`;
      const client = new Client({ host: folder, user: "postgres", database: "postgres" });
      await client.connect();
      await client.query(`create database ${name}`);
      await client.end();
      return `postgresql://postgres@localhost/${name}?host=${encodeURIComponent(folder)}`;
    },
    async stop() {
      process.off("exit", killed);
      server.kill("SIGQUIT");
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function unprivileged(): { uid: number; gid: number } {
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"));
  const user = ["postgres", "nobody"].map((name) => users.find((entry) => entry[0] === name)).find(Boolean);
  if (!user) throw new Error("PostgreSQL needs a user other than root: there is no postgres and no nobody");
  return { uid: Number(user[2]), gid: Number(user[3]) };
}

import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import os from "node:os";
import path from "node:path";
import { environment, hasProgram } from "./deploy/programs.ts";
import { until } from "./until.ts";
import { unusedPort } from "./unused-port.ts";

/** Whether Dovecot is installed. REQUIRE_CLIENTS=1 makes its absence a failure. */
export function hasImapServer(): boolean {
  const isThere = hasProgram("dovecot");
  if (!isThere && process.env.REQUIRE_CLIENTS === "1") throw new Error("Dovecot (dovecot-imapd) is missing");
  return isThere;
}

/** Dovecot on a free port of this machine, with one mailbox. */
export interface ImapServer {
  /** Address of the mailbox for IMAP_URL. */
  url: string;
  /** Puts a message into the mailbox, as a mail server does. */
  deliver(raw: string): void;
  /** Flags of the messages in the mailbox, such as `S` (seen) and `R` (answered). */
  flags(): string[];
  /** Removes all messages. */
  empty(): void;
  /** Stops the server. The mailbox stays. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

const USER = "weather@example.org";
const PASSWORD = "a/secret";

export async function openImapServer(): Promise<ImapServer> {
  const folder = mkdtempSync(path.join(os.tmpdir(), "metocean-imap-"));
  const port = await unusedPort();
  const maildir = path.join(folder, "mail");
  for (const name of ["cur", "new", "tmp"]) mkdirSync(path.join(maildir, name), { recursive: true });
  const { uid, gid, username } = os.userInfo();
  // Dovecot gives each connection the rights of the mailbox's owner, who must not be root.
  const owner = uid === 0 ? 65_534 : uid;
  const group = uid === 0 ? 65_534 : gid;
  const daemons = uid === 0 ? "" : `default_internal_user = ${username}\ndefault_login_user = ${username}\n`;
  const config = path.join(folder, "dovecot.conf");
  writeFileSync(path.join(folder, "users"), `${USER}:{PLAIN}${PASSWORD}:${owner}:${group}::${folder}::\n`);
  writeFileSync(
    config,
    `base_dir = ${folder}/run
state_dir = ${folder}/state
log_path = ${folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
first_valid_uid = 1
mail_location = maildir:${maildir}
mail_fsync = never
${daemons}default_internal_group = ${uid === 0 ? "dovecot" : `#${gid}`}
passdb {
  driver = passwd-file
  args = scheme=PLAIN username_format=%u ${folder}/users
}
userdb {
  driver = passwd-file
  args = username_format=%u ${folder}/users
}
service imap-login {
  chroot =
  inet_listener imap {
    port = ${port}
  }
  inet_listener imaps {
    port = 0
  }
}
service anvil {
  chroot =
}
service stats {
  chroot =
}
`,
  );
  // The mailbox's owner passes through the folder.
  chmodSync(folder, 0o755);
  for (const name of ["", "cur", "new", "tmp"]) chmodSync(path.join(maildir, name), 0o777);

  let child: ChildProcess | undefined;
  const isOpen = () =>
    new Promise<boolean>((resolve) => {
      const socket = connect(port, "127.0.0.1");
      socket.once("data", () => resolve(true));
      socket.once("error", () => resolve(false));
      socket.once("close", () => resolve(false));
      socket.once("data", () => socket.destroy());
    });
  const start = async () => {
    child = spawn("dovecot", ["-F", "-c", config], { env: environment(), stdio: "ignore" });
    await until(async () => {
      if (child?.exitCode !== null) throw new Error(`Dovecot does not start: see ${folder}/log`);
      return isOpen();
    });
  };
  const stop = async () => {
    if (!child || child.exitCode !== null) return;
    const gone = once(child, "exit");
    child.kill("SIGTERM");
    await gone;
    child = undefined;
  };
  const files = () =>
    ["cur", "new"].flatMap((name) =>
      readdirSync(path.join(maildir, name)).map((file) => path.join(maildir, name, file)),
    );
  await start();
  let delivered = 0;
  return {
    url: `imap://${encodeURIComponent(USER)}:${encodeURIComponent(PASSWORD)}@127.0.0.1:${port}`,
    deliver(raw) {
      const name = `${String(1_000_000 + delivered++)}.M${delivered}.test`;
      const file = path.join(maildir, "tmp", name);
      writeFileSync(file, raw.replace(/\r?\n/g, "\r\n"), { mode: 0o666 });
      chmodSync(file, 0o666);
      renameSync(file, path.join(maildir, "new", name));
    },
    flags: () =>
      files()
        .map((file) => path.basename(file))
        .sort()
        .map((name) => name.split(":2,")[1] ?? ""),
    empty() {
      for (const file of files()) rmSync(file);
    },
    start,
    stop,
    close: async () => {
      await stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

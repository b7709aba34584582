import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { MEASURED_KEY } from "./measured-server.ts";

/** How many sockets there are of each kind, and from how many addresses of this machine. */
export interface SlowSockets {
  headers: number;
  bodies: number;
  readers: number;
  addresses: number;
  /** Within this time all of them are opened. */
  openingMs: number;
}

/** What became of them. */
export interface SlowSocketsReport {
  open: number;
  /** By status, of all sockets that were answered; `closed` where the connection ended without an answer. */
  ended: Record<string, number>;
}

/**
 * Clients that send headers or bodies one byte a second, and clients that ask for much and do not read; each is replaced when
 * it ends. In a process of its own, at a lower priority: elsewhere it is another machine. Linux only: other systems have one address of their own.
 */
export function startSlowSockets(url: string, sockets: SlowSockets) {
  const { hostname, port } = new URL(url);
  const order = JSON.stringify({ hostname, port: Number(port), key: MEASURED_KEY, ...sockets });
  const child: ChildProcess = spawn(process.execPath, ["-e", slowClient, order], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  const lines = createInterface(child.stdout!);
  return {
    async report(): Promise<SlowSocketsReport> {
      child.stdin!.write("report\n");
      const [line] = (await once(lines, "line")) as [string];
      return JSON.parse(line) as SlowSocketsReport;
    },
    async stop(): Promise<void> {
      const gone = once(child, "exit");
      child.kill("SIGKILL");
      await gone;
    },
  };
}

const slowClient = `
  const net = require("node:net");
  const { hostname, port, key, headers, bodies, readers, addresses, openingMs } = JSON.parse(process.argv[1]);
  require("node:os").setPriority(10);
  const ended = {};
  const open = new Set();
  let next = 0;
  const start = (kind) => {
    const localAddress = "127.0.0." + (2 + next++ % addresses);
    const socket = net.connect({ host: hostname, port, localAddress });
    let answer = "";
    let sent = 0;
    let timer;
    socket.on("error", () => {});
    socket.on("connect", () => {
      open.add(socket);
      if (kind === "readers") {
        socket.pause();
        for (let count = 0; count < 20; count++) socket.write("GET /openapi.json HTTP/1.1\\r\\nHost: x\\r\\n\\r\\n");
        return;
      }
      if (kind === "bodies")
        socket.write("POST /MetOcean HTTP/1.1\\r\\nHost: x\\r\\nX-API-Key: " + key + "\\r\\nContent-Type: application/json\\r\\nContent-Length: 60000\\r\\n\\r\\n");
      const text = kind === "headers" ? "GET /healthz HTTP/1.1\\r\\nHost: x\\r\\n" + "X-Slow: x\\r\\n".repeat(100) : "{" + " ".repeat(59999);
      timer = setInterval(() => { if (socket.writable) socket.write(text[sent++]); }, 1000);
    });
    socket.on("data", (bytes) => { if (answer.length < 64) answer += bytes.toString("latin1"); });
    socket.on("close", () => {
      clearInterval(timer);
      open.delete(socket);
      const status = /^HTTP\\/1.1 (\\d+)/.exec(answer)?.[1] ?? "closed";
      const name = kind + " " + status;
      ended[name] = (ended[name] ?? 0) + 1;
      setTimeout(start, 1000, kind);
    });
  };
  const each = { headers, bodies, readers };
  for (const kind of Object.keys(each)) for (let index = 0; index < each[kind]; index++) setTimeout(start, Math.random() * openingMs, kind);
  process.stdin.on("data", () => console.log(JSON.stringify({ open: open.size, ended })));
`;

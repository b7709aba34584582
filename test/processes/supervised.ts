// A service of two processes without pages and database, which the real one has. The first argument selects the fault.
import cluster from "node:cluster";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { joinSupervisor } from "#server/process/member.ts";
import { supervise } from "#server/process/supervise.ts";

const failure = process.env.FAILURE;
const say = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`);

if (cluster.isPrimary) {
  const log = (fields: object, message: string) => say({ ...fields, message });
  const processes = supervise({
    count: 2,
    ...(failure === "deaf" && { stopMs: 300 }),
    exec: import.meta.filename,
    log: { info: log, warn: log, error: log } as never,
    onListening: (port, key) => say({ port, key }),
  });
  process.on("SIGTERM", () => processes.stop());
  process.exit(await processes.ended);
}

const server = createServer(async (request, response) => {
  if (request.url === "/metrics") response.end((await metrics.text()).body);
  else response.end(String(process.pid));
});
const member = joinSupervisor(() => {
  if (failure === "deaf") return;
  server.close(() => process.exit(0));
  server.closeIdleConnections();
})!;
const metrics = member.shareMetrics({
  text: async () => ({
    type: "text/plain",
    body: `# HELP pid Its number\npid{process="${member.number}"} ${process.pid}\n`,
  }),
} as never);
if (failure === "configuration") {
  process.stderr.write("what is wrong\n");
  process.exit(78);
}
if ((failure === "second" || failure === "deaf") && member.number === 2) process.exit(3);
server.listen(0, "127.0.0.1", () =>
  member.listening((server.address() as AddressInfo).port, member.number === 1 ? "the key" : undefined),
);

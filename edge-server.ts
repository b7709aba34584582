import { monitorEventLoopDelay } from "node:perf_hooks";
import { openContext } from "#server/context.ts";
import { httpServer } from "#server/http/http-server.ts";
import { createApp } from "#server/operations/app.ts";
import { readEnv } from "#server/platform/env.ts";
import { listen } from "#server/platform/listen.ts";
import { createLogger, standardOutput } from "#server/platform/log.ts";
const env = readEnv(); const log = createLogger("error", [], standardOutput());
const { context } = await openContext(env, log);
if (process.env.WORK) await context.work();
const app = createApp(context);
const h = monitorEventLoopDelay({ resolution: 1 }); h.enable();
const server = httpServer({ log, accessLog: log, observe: () => {}, trustedProxies: 0, router: app.router,
  page: async (_i, r) => { const m = process.memoryUsage(); r.end(JSON.stringify({ max: h.max/1e6, cpu: process.cpuUsage().user/1e6, rss: m.rss>>20, heap: m.heapUsed>>20 })); h.reset(); } });
console.log("PORT", await listen(server, 0, "127.0.0.1"));
process.on("SIGTERM", async () => { await context.close(); process.exit(0); });

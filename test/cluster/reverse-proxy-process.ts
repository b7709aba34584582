/** The reverse proxy where haproxy is not installed: `node test/cluster/reverse-proxy-process.ts <port> <name:port>…`. */
import { startReverseProxy } from "./reverse-proxy.ts";

const CHECK_EVERY_MS = 1000;

const [port, ...backends] = process.argv.slice(2);
const proxy = await startReverseProxy(
  Number(port),
  backends.map((text) => {
    const [name = "", port] = text.split(":");
    return { name, port: Number(port) };
  }),
);
await proxy.check();
setInterval(() => void proxy.check(), CHECK_EVERY_MS);

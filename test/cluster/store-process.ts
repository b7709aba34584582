/**
 * The S3 store of the cluster, behind the proxy that makes its faults: `node test/cluster/store-process.ts <folder> <port>
 * <control port>`. `POST /` on the control port sets what the store does (StoreState as JSON); `GET /` counts its requests.
 */
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { startS3 } from "#test/s3/start-s3.ts";
import type { StoreState } from "./store.ts";

/** Requests that are remembered. */
const MAX_REQUESTS = 10_000;

const [folder = "", port, controlPort] = process.argv.slice(2);
const { proxy } = await startS3({ folder, port: Number(port) });
let forgotten = 0;

const control = createServer(async (request, response) => {
  if (request.method === "POST") {
    const { latencyMs, fault } = (await json(request)) as StoreState;
    proxy.latencyMs = latencyMs;
    proxy.always = fault;
  }
  response.end(JSON.stringify({ requests: forgotten + proxy.requests.length }));
});
control.listen(Number(controlPort), "127.0.0.1");

setInterval(() => {
  const excess = Math.max(0, proxy.requests.length - MAX_REQUESTS);
  forgotten += proxy.requests.splice(0, excess).length;
}, 1000);

/**
 * The S3 store of the cluster, behind the proxy that makes its faults: `node test/cluster/store-process.ts <folder>
 * <port> <control port>`. `POST /` on the control port sets the behaviour of the store (StoreState as JSON).
 */
import { createServer } from "node:http";
import { json } from "node:stream/consumers";
import { startS3 } from "#test/s3/start-s3.ts";
import type { StoreState } from "./cluster.ts";

const [folder = "", port, controlPort] = process.argv.slice(2);
const { proxy } = await startS3({ folder, port: Number(port) });

createServer(async (request, response) => {
  if (request.method === "POST") {
    const { latencyMs, fault } = (await json(request)) as StoreState;
    proxy.latencyMs = latencyMs;
    proxy.always = fault;
  }
  response.end();
}).listen(Number(controlPort), "127.0.0.1");

// The proxy records requests for tests, so the record is emptied here.
setInterval(() => proxy.requests.splice(0), 1000);

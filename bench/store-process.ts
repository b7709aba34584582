import { startS3 } from "#test/s3/start-s3.ts";

/** Starts an S3 store on loopback and writes its address. Its argument is the latency of each request, milliseconds. */
const { proxy } = await startS3();
proxy.latencyMs = Number(process.argv[2] ?? 0);
process.stdout.write(`${proxy.url}\n`);

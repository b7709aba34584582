import { startS3 } from "#test/s3/start-s3.ts";

/** An S3 store on loopback. Each request waits as many milliseconds as its argument says. Writes its address. */
const { proxy } = await startS3();
proxy.latencyMs = Number(process.argv[2] ?? 0);
process.stdout.write(`${proxy.url}\n`);

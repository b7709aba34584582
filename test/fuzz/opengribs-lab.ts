import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { labOptions } from "#test/lab-options.ts";
import { checkSizes, fuzzOpengribs, killWhileWriting, opengribsSettings, untilWritten } from "./opengribs.ts";
import { type FuzzServer, startServer } from "./server.ts";

const { requests, seed, parallel, kills } = labOptions(
  `Random requests of the OpenGribs protocol to the real server in the demo world, some of them abandoned. Wrong is a reply
that is neither a file nor a message, an error of the server, a file beyond the limit or other than offered, a download of
anything that was not offered, and a file that is left after a kill or after an hour.`,
  {
    requests: [10_000, "of all kinds"],
    seed: [Date.now() % 1_000_000, "of the requests"],
    parallel: [4, "requests at once"],
    kills: [3, "of the server while it writes a file"],
  },
);

const folder = await mkdtemp(path.join(tmpdir(), "metocean-fuzz-"));
let server: FuzzServer = await startServer(folder, opengribsSettings);
let faults = 0;
try {
  console.log(`seed ${seed}, ${requests} requests to ${server.url}`);
  const report = await fuzzOpengribs({
    url: server.url,
    requests,
    seed,
    parallel,
    progress: (done) => console.log(`${done} requests`),
  });
  await untilWritten(folder);
  checkSizes(folder);
  console.log(
    [...report.counts]
      .sort()
      .map(([name, count]) => `${name}: ${count}`)
      .join(", "),
  );
  console.log(`The largest file had ${report.largest} bytes`);
  for (let killed = 0; killed < kills; killed++) {
    report.faults.push(...server.errors);
    server = await killWhileWriting(server, folder);
  }
  for (const fault of report.faults) console.error(`FAULT ${fault}`);
  for (const line of server.errors) console.error(`LOGGED ${line}`);
  faults = report.faults.length + server.errors.length;
  console.log(`${kills} kills, ${faults} faults`);
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
process.exitCode = faults === 0 ? 0 : 1;

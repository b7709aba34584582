import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { ifMissing } from "#server/platform/files.ts";
import { kill } from "#test/chaos/kill.ts";
import { digestOf, storedStep } from "#test/fetched-part.ts";
import { type FetchingTest, fetchingTest } from "#test/fetching.ts";
import { type Fault, stored } from "#test/object-server.ts";
import { openFilesBelow } from "#test/open-files.ts";
import { spawnScripts } from "#test/processes.ts";
import { seeded } from "#test/seeded.ts";
import { type FetchedPart, fetchPart } from "./fetch-part.ts";
import { PartFailedError } from "./part-store.ts";

const spawnScript = spawnScripts();
const schedules = process.env.THOROUGH ? 400 : 10;
let test: FetchingTest;
let folder: string;

beforeEach(async () => {
  test = await fetchingTest();
  folder = await mkdtemp(path.join(tmpdir(), "part-"));
});

afterEach(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

const attempt = (signal: AbortSignal = AbortSignal.timeout(30_000)): Promise<FetchedPart | "absent"> => {
  const { feed, part } = storedStep();
  const fetcher = test.fetcher({ attempts: 2, limits: { idleMs: 50 } });
  return fetchPart(feed, part, "full", { fetcher, folder, clock: test.clock, signal });
};

const faults: readonly ((random: () => number) => Fault)[] = [
  (random) => ({ cutAfter: Math.floor(random() * 200_000) }),
  () => ({ garbage: true }),
  (random) => ({ announce: Math.ceil(random() * 100) * (random() < 0.5 ? -1 : 1) }),
  () => ({ whole: true }),
  (random) => ({ shift: Math.ceil(random() * 50) }),
  () => ({ silent: "body" }),
  () => ({ status: 302, headers: { location: "https://elsewhere.example/bot" } }),
  () => ({ status: 200, headers: { "content-type": "text/html" }, body: "<html>Are you a robot?</html>" }),
  ...[403, 404, 429, 500, 503].map((status) => () => ({ status })),
];

it("whatever happens gives exactly the wanted messages of one publication, or nothing", {
  timeout: schedules * 6000,
}, async () => {
  const publications = [storedStep(1), storedStep(2), storedStep(3)];
  const wanted = publications.map((step) => step.wanted);
  for (let seed = 1; seed <= schedules; seed++) {
    const random = seeded(seed);
    const any = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
    let rate = 0.5;
    const publish = (mirror: "data.example" | "second.example") => {
      const step = any(publications);
      step.store(test.server, [mirror]);
      if (rate === 0 || random() < 0.7) return;
      // Object and index end early, as of an upload that failed; or only the object does.
      const lines = step.index.split("\n").slice(0, Math.ceil(random() * 9));
      if (random() < 0.5)
        test.server.objects.set(`/${mirror}/store/step.idx`, stored(`${lines.join("\n")}\n`));
      const bytes = step.bytes.subarray(0, Math.ceil(random() * step.bytes.length));
      test.server.objects.set(`/${mirror}/store/step`, stored(bytes));
    };
    publish("data.example");
    publish("second.example");
    test.server.fault = () => {
      if (random() < rate / 5) publish(any(["data.example", "second.example"]));
      return random() < rate ? any(faults)(random) : undefined;
    };
    let result: string | undefined;
    for (let round = 0; result === undefined; round++) {
      if (round === 6) {
        rate = 0;
        publish("data.example");
      }
      expect(round, `seed ${seed}`).toBeLessThan(8);
      const fetched = await attempt().catch((error) => error);
      if (fetched instanceof PartFailedError || fetched === "absent")
        expect(await readdir(folder)).not.toContain("messages.grib2");
      else result = await digestOf(fetched);
    }
    expect(wanted, `seed ${seed}`).toContain(result);
    await rm(folder, { recursive: true });
  }
});

it("goes on where a killed process was: what has arrived is not fetched again", async () => {
  const step = storedStep();
  step.store(test.server, ["data.example"]);
  const object = "/data.example/store/step";
  const stops = [100_000, 30_000];
  for (const stop of stops) {
    const asked = test.server.requests.length;
    test.server.fault = (requested) => (requested === object ? { pauseAfter: stop } : undefined);
    const { child } = await spawnScript("test/processes/fetch-part.ts", test.server.url, folder);
    // Each of the ranges that are longer has arrived so far, and the journal says so but for its last block.
    await untilTrue(() => test.server.requests.length > asked + 1);
    await untilTrue(async () => (await journalled()) >= (stop > 65_536 ? 65_536 : 1));
    await kill(child);
  }
  test.server.fault = () => undefined;
  const before = await journalled();
  const sent = test.server.sent;
  const fetched = await attempt();
  expect(await digestOf(fetched)).toBe(step.wanted);
  expect(fetched).toMatchObject({ bytesReused: before });
  // The rest, and the small gap between two messages.
  expect(test.server.sent - sent).toBeLessThanOrEqual(step.wantedBytes - before + 21_000);
});

/** Bytes of the blocks that are in the journal. */
async function journalled(): Promise<number> {
  const name = (await readdir(folder)).find((entry) => entry.endsWith(".journal"));
  const text = name ? await readFile(path.join(folder, name), "utf8").catch(ifMissing("")) : "";
  const lines = text.split("\n").slice(1, -1);
  return lines.reduce((sum, line) => sum + Number(line.split(" ")[1]), 0);
}

async function untilTrue(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 5));
}

it("stops at once when it is cancelled, keeps what has arrived, and leaves no file open", async () => {
  storedStep().store(test.server);
  test.server.fault = (requested) => (requested.endsWith("/step") ? { pauseAfter: 100_000 } : undefined);
  const cancelled = new AbortController();
  const pending = attempt(cancelled.signal);
  pending.catch(() => {});
  await untilTrue(async () => (await journalled()) >= 65_536);
  cancelled.abort(new Error("the service ends"));
  await expect(pending).rejects.toThrow("the service ends");
  expect(openFilesBelow(folder)).toEqual([]);
  expect(await journalled()).toBeGreaterThanOrEqual(65_536);
  expect(test.server.requests.some((request) => request.path.startsWith("/second"))).toBe(false);
});

import { randomBytes } from "node:crypto";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { grib } from "#server/ingest/sources/source.ts";
import { OutOfBudgetError } from "#server/platform/fetching/errors.ts";
import type { Fetcher } from "#server/platform/fetching/fetcher.ts";
import { ifMissing } from "#server/platform/files.ts";
import { kill } from "#test/chaos/kill.ts";
import { digestOf, type StoredStep, storedStep } from "#test/fetched-part.ts";
import { digest, type FetchingTest, fetchingTest } from "#test/fetching.ts";
import { gribMessage, gribObject, ofParameter } from "#test/grib-objects.ts";
import { type Fault, stored } from "#test/object-server.ts";
import { openFilesBelow } from "#test/open-files.ts";
import { spawnScripts } from "#test/processes.ts";
import { seeded } from "#test/seeded.ts";
import { type FetchedPart, fetchPart } from "./fetch-part.ts";
import { PartFailedError } from "./part-store.ts";

let test: FetchingTest;
let step: StoredStep;
let folder: string;

beforeEach(async () => {
  test = await fetchingTest();
  step = storedStep();
  step.store(test.server);
  folder = await mkdtemp(path.join(tmpdir(), "part-"));
});

afterEach(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

/** A signal that never aborts: a fetch that hangs ends by the timeout of its test. */
const { signal: never } = new AbortController();

const fetchStep = (
  fetcher: Fetcher = test.fetcher({ attempts: 2 }),
  of = step,
  options: { mustBeWhole?: boolean } = {},
) =>
  fetchPart(of.feed, of.part, "standard", {
    ...options,
    fetcher,
    folder,
    clock: test.clock,
    signal: never,
  });

const ranges = () => test.server.requests.map(({ headers }) => headers.range).filter((range) => range);
const asked = (path: string) => test.server.requests.filter((request) => request.path === path).length;

/** Applies a fault to the answers with these numbers for the given path. */
function fault(fault: Fault, path: string, ...numbers: number[]): void {
  let count = 0;
  test.server.fault = (requested) => {
    if (requested !== path) return undefined;
    return numbers.length === 0 || numbers.includes(++count) ? fault : undefined;
  };
}

const object = "/data.example/store/step";

it("fetches exactly the wanted messages, with neighbours and small gaps in one range", async () => {
  const fetched = await fetchStep();
  expect(fetched).toMatchObject({ mirror: "First" });
  expect(await digestOf(fetched)).toBe(step.wanted);
  expect(await readdir(folder)).toEqual(["fetched.json", "messages.grib2"]);
  expect(ranges()).toHaveLength(3);
  // The bytes sent besides the wanted messages and the index are those of the small gap.
  expect(test.server.sent - step.wantedBytes - step.index.length).toBeLessThan(21_000);
});

it("returns a present part without a request", async () => {
  const first = await fetchStep();
  await test.server[Symbol.asyncDispose]();
  expect(await fetchStep()).toEqual({ ...(first as object), bytesFetched: 0 });
});

it("does not mistake a part for one that wants other messages", async () => {
  await fetchStep();
  const less = storedStep();
  const objects = less.feed.objects(less.part, "lite", less.feed.mirrors[0]!);
  if (objects?.kind === "messages")
    less.feed.objects = () => ({ ...objects, wanted: objects.wanted.slice(0, 3) });
  const fetched = await fetchStep(test.fetcher(), less);
  expect(await digestOf(fetched)).not.toBe(step.wanted);
});

it("takes all parts of a cycle under the names under which its first part has come, and another cycle under those that are there", async () => {
  const other = storedStep(3);
  const objects = other.feed.objects(other.part, "lite", other.feed.mirrors[0]!);
  if (objects?.kind !== "messages") throw new Error("the step has messages");
  const next = { ...objects, object: "next", index: { ...objects.index, object: "next.idx" } };
  const feed = { ...step.feed, otherNames: () => [next] };
  const fetchTo = (at: string) =>
    fetchPart(feed, step.part, "standard", {
      fetcher: test.fetcher({ attempts: 2 }),
      folder: path.join(folder, at),
      clock: test.clock,
      signal: never,
    });
  const put = (name: string, of: StoredStep) => {
    test.server.objects.set(`/second.example/store/${name}`, stored(of.bytes));
    test.server.objects.set(`/second.example/store/${name}.idx`, stored(of.index));
  };
  expect(await digestOf(await fetchTo("a/0"))).toBe(step.wanted);
  test.server.objects.clear();
  put("next", other);
  // The first version is gone, and its cycle is not continued by the other one.
  expect(await fetchTo("a/1")).toBe("absent");
  expect(await digestOf(await fetchTo("b/0"))).toBe(other.wanted);
  put("step", step);
  expect(await digestOf(await fetchTo("b/1"))).toBe(other.wanted);
  expect(await digestOf(await fetchTo("a/1"))).toBe(step.wanted);
});

it("takes parts that are fetched at the same time under the same names", async () => {
  const other = storedStep(3);
  const objects = other.feed.objects(other.part, "lite", other.feed.mirrors[0]!);
  if (objects?.kind !== "messages") throw new Error("the step has messages");
  test.server.objects.set("/data.example/store/next", stored(other.bytes));
  test.server.objects.set("/data.example/store/next.idx", stored(other.index));
  const next = { ...objects, object: "next", index: { ...objects.index, object: "next.idx" } };
  // The second part is there under the other names only.
  const none = { ...objects, object: "none", index: { ...objects.index, object: "none.idx" } };
  const feed = {
    ...step.feed,
    objects: ({ index }: { index: number }) =>
      index === 1 ? none : step.feed.objects(step.part, "lite", step.feed.mirrors[0]!),
    otherNames: () => [next],
  };
  const found = await Promise.all(
    [0, 1, 2].map((index) =>
      fetchPart(feed, { ...step.part, index }, "standard", {
        fetcher: test.fetcher({ attempts: 2 }),
        folder: path.join(folder, String(index)),
        clock: test.clock,
        signal: never,
      }),
    ),
  );
  const digests = await Promise.all(found.map(digestOf));
  const came = new Set(digests.filter((one) => one !== "absent"));
  expect(came.size).toBe(1);
});

it("is absent where no mirror has the index, or only an index without its object", async () => {
  test.server.objects.delete(object);
  test.server.objects.delete("/second.example/store/step");
  expect(await fetchStep()).toBe("absent");
  test.server.objects.clear();
  expect(await fetchStep()).toBe("absent");
  expect(asked("/second.example/store/step.idx")).toBe(2);
});

it("is absent where one mirror lacks the part and the other refuses it, because some refuse what they do not have", async () => {
  test.server.objects.clear();
  test.server.fault = (requested) => (requested.startsWith("/data") ? { status: 403 } : undefined);
  expect(await fetchStep()).toBe("absent");
  test.server.fault = () => ({ status: 403 });
  await expect(fetchStep()).rejects.toThrow("First: data.example refuses /store/step.idx (status 403)");
});

it("names a login that one mirror refuses, even where the other has nothing yet", async () => {
  test.server.objects.clear();
  test.server.fault = (requested) => (requested.startsWith("/data") ? { status: 401 } : undefined);
  await expect(fetchStep()).rejects.toThrow(
    "First: data.example refuses /store/step.idx (status 401): it wants a login, or another one; Second: not published yet",
  );
});

it.each<[string, Fault, string]>([
  ["fails", { status: 500 }, "First: data.example fails with status 500"],
  ["redirects", { status: 302, headers: { location: "/bot" } }, "First: data.example redirects"],
  [
    "throttles",
    { status: 503, body: "<Code>SlowDown</Code>" },
    "First: data.example asks for fewer requests",
  ],
  ["refuses", { status: 403 }, "First: data.example refuses"],
  ["answers ranges with the whole object", { whole: true }, "sent whole"],
  ["answers other ranges", { shift: 3 }, "were sent"],
  ["cuts every answer", { cutAfter: 0 }, "ended after 0"],
  ["sends less than announced", { announce: 9 }, "were announced for a part of"],
  ["sends garbage", { garbage: true }, "it does not begin as a GRIB2 message"],
])("takes the next mirror where the first one %s, and says why where all do", async (_, what, words) => {
  fault(what, object);
  const fetched = await fetchStep();
  expect(fetched).toMatchObject({ mirror: "Second" });
  expect(await digestOf(fetched)).toBe(step.wanted);
  await rm(folder, { recursive: true });
  test.server.fault = (requested) => (requested.endsWith("/step") ? what : undefined);
  const failure = await fetchStep().catch((error) => error);
  expect(failure).toBeInstanceOf(PartFailedError);
  expect(failure.message).toContain(words);
  expect(failure.message).toContain("; Second: ");
  expect((await readdir(folder)).filter((name) => !/\.(part|journal|json)$/.test(name))).toEqual([]);
});

it("takes the part from the mirror that lacks least where none is complete, and all of it where one is", async () => {
  const without = (mirror: string, ...elements: string[]) => {
    const lines = step.index.split("\n").filter((line) => !elements.some((name) => line.includes(name)));
    test.server.objects.set(`/${mirror}.example/store/step.idx`, stored(lines.join("\n")));
  };
  without("data", "TMP:2 m");
  expect(await fetchStep()).toMatchObject({ mirror: "Second" });
  await rm(path.join(folder, "fetched.json"));
  without("data", "TMP:2 m", "GUST");
  without("second", "TMP:2 m");
  const whole = fetchStep(undefined, undefined, { mustBeWhole: true });
  await expect(whole).rejects.toThrow("Second: the index lacks TMP (2 m above ground, instant)");
  const fetched = await fetchStep();
  const lacking = ["TMP (2 m above ground, instant)"];
  expect(fetched).toMatchObject({ mirror: "Second", lacking });
  expect(await fetchStep()).toMatchObject({ mirror: "Second", lacking });
  expect(await digestOf(fetched)).not.toBe(step.wanted);
  // The incomplete file does not count as the complete part, and is replaced by it.
  step.store(test.server, ["data.example"]);
  const mended = await fetchStep(undefined, undefined, { mustBeWhole: true });
  expect(mended).toMatchObject({ mirror: "First" });
  expect(await digestOf(mended)).toBe(step.wanted);
});

it("keeps an incomplete part where the attempt to complete it is cut", async () => {
  const mirrors = ["data.example"] as const;
  const lines = step.index.split("\n").filter((line) => !line.includes("PRMSL"));
  test.server.objects.clear();
  step.store(test.server, mirrors);
  test.server.objects.set(`${object}.idx`, stored(lines.join("\n")));
  const fetched = await fetchStep();
  const lacking = ["PRMSL (mean sea level, instant)"];
  expect(fetched).toMatchObject({ lacking });
  step.store(test.server, mirrors);
  let answers = 0;
  test.server.fault = (requested) => {
    if (requested !== object) return undefined;
    return answers++ === 0 ? { cutAfter: 100_000 } : { status: 500 };
  };
  await expect(fetchStep(undefined, undefined, { mustBeWhole: true })).rejects.toThrow("status 500");
  expect(await fetchStep()).toMatchObject({ lacking, bytesFetched: 0 });
  expect(await digestOf(fetched)).toBe(step.wantedWithout(lacking));
});

/** Offsets at which the messages of the step begin in its object. */
function messageStarts(): number[] {
  const lines = step.index.split("\n").filter((line) => line !== "");
  return [...new Set(lines.map((line) => Number(line.split(":")[1])))];
}

it("takes the sound messages where one is damaged on every mirror, names it, and adds it when a mirror has it", async () => {
  const [, , gust = 0, end = 0] = messageStarts();
  const damaged = Buffer.from(step.bytes).fill(0, gust, end);
  for (const mirror of ["data", "second"])
    test.server.objects.set(`/${mirror}.example/store/step`, stored(damaged));
  const whole = fetchStep(undefined, undefined, { mustBeWhole: true });
  await expect(whole).rejects.toThrow("Second: message 2 of 5: it does not begin as a GRIB2 message");
  const fetched = await fetchStep();
  const lacking = ["GUST (surface, instant: it does not begin as a GRIB2 message)"];
  expect(fetched).toMatchObject({ mirror: "First", lacking });
  // The file has the other four messages, one after another.
  expect(fetched !== "absent" && (await readFile(fetched.file)).length).toBe(step.wantedBytes - (end - gust));
  expect(await fetchStep()).toMatchObject({ mirror: "First", lacking, bytesFetched: 0 });
  step.store(test.server, ["second.example"]);
  const mended = await fetchStep(undefined, undefined, { mustBeWhole: true });
  expect(mended).toMatchObject({ mirror: "Second" });
  expect(await digestOf(mended)).toBe(step.wanted);
});

it.each([
  [
    "begins with no section 3",
    (bytes: Buffer, at: number) => bytes.writeUInt32BE(7, at + 16),
    "it is damaged: ",
  ],
  [
    "is another field than the index says",
    (bytes: Buffer, at: number) => bytes.set(ofParameter(bytes.subarray(at), 1, 1), at),
    "it is not PRMSL",
  ],
])("takes the other messages where one %s on every mirror", async (_, damage, words) => {
  const at = messageStarts().at(-1)!;
  const objects = step.feed.objects(step.part, "lite", step.feed.mirrors[0]!);
  if (objects?.kind !== "messages") throw new Error("a step has messages");
  const selectors = [
    grib({ codes: [0, 0, 0], element: "PRMSL" }, { type: 103, value: 2, words: "mean sea level" }),
  ];
  const wanted = objects.wanted.map((message) =>
    message.element === "PRMSL" ? { ...message, selectors } : message,
  );
  step.feed.objects = () => ({ ...objects, wanted });
  const damaged = Buffer.from(step.bytes);
  damage(damaged, at);
  for (const mirror of ["data", "second"])
    test.server.objects.set(`/${mirror}.example/store/step`, stored(damaged));
  const fetched = await fetchStep();
  expect(fetched).toMatchObject({
    lacking: [expect.stringContaining(`PRMSL (mean sea level, instant: ${words}`)],
  });
  expect(fetched !== "absent" && (await readFile(fetched.file)).length).toBe(
    step.wantedBytes - (step.bytes.length - at),
  );
});

it("fetches index and object again where the object was replaced between them", async () => {
  const newer = storedStep(2);
  test.server.fault = (requested) => {
    if (requested === object && asked(object) === 1) newer.store(test.server);
    return undefined;
  };
  const fetched = await fetchStep();
  expect(fetched).toMatchObject({ mirror: "First" });
  expect(await digestOf(fetched)).toBe(newer.wanted);
});

it("does not mistake another object of a host without ETags for the same one", async () => {
  const newer = storedStep();
  test.server.objects.set(object, { bytes: step.bytes, lastModified: 1.7e9 });
  test.server.fault = (requested) => {
    if (requested === object && asked(object) === 2)
      test.server.objects.set(object, { bytes: newer.bytes, lastModified: 1.8e9 });
    return undefined;
  };
  expect(await digestOf(await fetchStep())).toBe(step.wanted);
  expect(asked("/data.example/store/step.idx")).toBe(2);
  await rm(folder, { recursive: true });
  test.server.objects.set(object, { bytes: step.bytes });
  expect(await fetchStep()).toMatchObject({ mirror: "Second" });
});

it("accepts no object that ends early together with its index, no stale one and no empty one", async () => {
  const names = ["/data.example/store/step", "/data.example/store/step.idx"] as const;
  const put = (bytes: Uint8Array, index: string) => {
    test.server.objects.set(names[0], stored(bytes));
    test.server.objects.set(names[1], stored(index));
  };
  const lines = step.index.split("\n");
  const stale = storedStep(3, "2024022800");
  const spoilt: [Uint8Array, string][] = [
    [step.bytes.subarray(0, 700_000), `${lines.slice(0, 8).join("\n")}\n`],
    [step.bytes.subarray(0, step.bytes.length - 5), step.index],
    [Buffer.concat([step.bytes, step.bytes]), step.index],
    [Buffer.alloc(0), step.index],
    [step.bytes, ""],
    [step.bytes, step.index.slice(0, -20)],
    [step.bytes, "<html>Slow down</html>"],
    [stale.bytes, stale.index],
  ];
  for (const [bytes, index] of spoilt) {
    await rm(folder, { recursive: true, force: true });
    put(bytes, index);
    const fetched = await fetchStep();
    expect(fetched).toMatchObject({ mirror: "Second" });
    expect(await digestOf(fetched)).toBe(step.wanted);
  }
});

it("accepts no message of another cycle or time, even if its index says what is wanted", async () => {
  const other = { ...step, part: { ...step.part, cycle: step.part.cycle - 21_600 } };
  const dated = storedStep(1, "2024022818");
  dated.index = dated.index.replaceAll("6 hour fcst", "12 hour fcst");
  dated.store(test.server);
  await expect(fetchStep(test.fetcher(), other)).rejects.toThrow(
    "it is of the cycle 2024-02-29T00:00:00Z, not 2024-02-28T18:00:00Z",
  );
  const later = { ...step, part: { ...step.part, times: [step.part.times[0]! + 3600] } };
  const shifted = storedStep();
  shifted.index = shifted.index.replaceAll("6 hour fcst", "7 hour fcst");
  shifted.store(test.server);
  await expect(fetchStep(test.fetcher(), later)).rejects.toThrow("it is valid at 2024-02-29T06:00:00Z");
});

it("accepts no message in place of another one of the same length, where the index is of another publication", async () => {
  const [one, other] = [
    [2, 2],
    [2, 3],
  ].map(([category, number]) => ofParameter(gribMessage(randomBytes(999)), category!, number!));
  const objects = (east: Buffer, north: Buffer) =>
    gribObject([
      { bytes: east, fields: ["UGRD:10 m above ground:6 hour fcst:"] },
      { bytes: north, fields: ["VGRD:10 m above ground:6 hour fcst:"] },
    ]);
  const { bytes, index } = objects(one!, other!);
  test.server.objects.set(object, stored(objects(other!, one!).bytes));
  test.server.objects.set(`${object}.idx`, stored(index));
  test.server.objects.set("/second.example/store/step", stored(bytes));
  test.server.objects.set("/second.example/store/step.idx", stored(index));
  const codes = { UGRD: [0, 2, 2], VGRD: [0, 2, 3] } as const;
  const wanted = (["UGRD", "VGRD"] as const).map((element) => ({
    element,
    level: "10 m above ground",
    time: "instant" as const,
    selectors: [grib({ codes: codes[element], element }, { type: 103, value: 2, words: "" })],
  }));
  step.feed.objects = () => ({
    kind: "messages",
    object: "step",
    index: { object: "step.idx", form: "wgrib2" },
    wanted,
  });
  const fetched = await fetchStep();
  expect(fetched).toMatchObject({ mirror: "Second" });
  expect(await digestOf(fetched)).toBe(digest(bytes));
});

it("quotes nothing that a page cannot show", async () => {
  test.server.fault = () => ({ status: 200, headers: { "content-length": "4" }, body: "\u0000\u001b[a" });
  await expect(fetchStep()).rejects.toThrow(
    "First: Line 1 of the index is not one of a field: ??[a; Second: ",
  );
});

it("keeps nothing of a useless index, even if its ETag stays", async () => {
  fault({ garbage: true }, "/data.example/store/step.idx");
  expect(await fetchStep()).toMatchObject({ mirror: "Second" });
  await rm(path.join(folder, "fetched.json"));
  test.server.fault = () => undefined;
  expect(await fetchStep()).toMatchObject({ mirror: "First" });
});

it("does not ask a mirror for what it no longer has", async () => {
  step.feed.mirrors = [{ ...step.feed.mirrors[0]!, youngerThan: 3600 }, step.feed.mirrors[1]!];
  expect(await fetchStep()).toMatchObject({ mirror: "Second" });
  expect(asked("/data.example/store/step.idx")).toBe(0);
});

it("asks no other mirror where the budget is spent or the disk fails", async () => {
  await expect(fetchStep(test.fetcher({ bytesADay: 1000 }))).rejects.toThrow(OutOfBudgetError);
  await writeFile(path.join(folder, "no-folder"), "");
  const options = { fetcher: test.fetcher(), clock: test.clock, signal: never };
  const into = path.join(folder, "no-folder", "part");
  await expect(fetchPart(step.feed, step.part, "lite", { ...options, folder: into })).rejects.toThrow(
    "ENOTDIR",
  );
  expect(asked("/second.example/store/step.idx")).toBe(0);
});

const spawnScript = spawnScripts();
const schedules = process.env.THOROUGH ? 400 : 10;

const attempt = (
  options: { signal?: AbortSignal; mustBeWhole?: boolean } = {},
): Promise<FetchedPart | "absent"> => {
  const { feed, part } = storedStep();
  const fetcher = test.fetcher({ attempts: 2 });
  return fetchPart(feed, part, "full", { fetcher, folder, clock: test.clock, signal: never, ...options });
};

const faults: readonly ((random: () => number) => Fault)[] = [
  (random) => ({ cutAfter: Math.floor(random() * 200_000) }),
  () => ({ garbage: true }),
  (random) => ({ announce: Math.ceil(random() * 100) * (random() < 0.5 ? -1 : 1) }),
  () => ({ whole: true }),
  (random) => ({ shift: Math.ceil(random() * 50) }),
  () => ({ cutAfter: 0 }),
  () => ({ status: 302, headers: { location: "https://elsewhere.example/bot" } }),
  () => ({ status: 200, headers: { "content-type": "text/html" }, body: "<html>Are you a robot?</html>" }),
  ...[403, 404, 429, 500, 503].map((status) => () => ({ status })),
];

it("always gives the wanted messages of one publication, except those named as lacking, or nothing", {
  timeout: schedules * 6000,
}, async () => {
  test.server.objects.clear();
  const publications = [storedStep(1), storedStep(2), storedStep(3)];
  for (let seed = 1; seed <= schedules; seed++) {
    const random = seeded(seed);
    const any = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
    let rate = 0.5;
    const publish = (mirror: "data.example" | "second.example") => {
      const step = any(publications);
      step.store(test.server, [mirror]);
      if (rate === 0 || random() < 0.7) return;
      // Object and index end early, as after a failed upload, or only the object does.
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
    let fetched: FetchedPart | undefined;
    for (let round = 0; !fetched || fetched.lacking?.length; round++) {
      if (round === 6) {
        rate = 0;
        publish("data.example");
      }
      expect(round, `seed ${seed}`).toBeLessThan(8);
      // An incomplete part is requested again, and stays until a complete one is there.
      const next = await attempt({ mustBeWhole: fetched !== undefined }).catch((error) => error);
      if (next instanceof PartFailedError || next === "absent")
        expect((await readdir(folder)).includes("messages.grib2")).toBe(fetched !== undefined);
      else fetched = next as FetchedPart;
      if (!fetched) continue;
      const { lacking = [] } = fetched;
      const wanted = publications.map((step) => step.wantedWithout(lacking));
      expect(wanted, `seed ${seed}`).toContain(await digestOf(fetched));
    }
    await rm(folder, { recursive: true });
  }
});

it("continues where a killed process stopped: bytes that have arrived are not fetched again", async () => {
  test.server.objects.clear();
  step.store(test.server, ["data.example"]);
  const object = "/data.example/store/step";
  const stops = [100_000, 30_000];
  for (const stop of stops) {
    const asked = test.server.requests.length;
    test.server.fault = (requested) => (requested === object ? { pauseAfter: stop } : undefined);
    const { child } = await spawnScript("test/processes/fetch-part.ts", test.server.url, folder);
    // Each longer range has arrived up to this point, and the journal records all but its last block.
    await untilTrue(() => test.server.requests.length > asked + 1);
    await untilTrue(async () => (await journalled()) >= (stop > 65_536 ? 65_536 : 1));
    await kill(child);
  }
  test.server.fault = () => undefined;
  const before = await journalled();
  const sent = test.server.sent;
  const fetched = await attempt();
  expect(await digestOf(fetched)).toBe(step.wanted);
  expect(before).toBeGreaterThan(65_536);
  // The bytes sent are the rest, and the small gap between two messages.
  expect(test.server.sent - sent).toBeLessThanOrEqual(step.wantedBytes - before + 21_000);
});

/** Number of bytes in the blocks that the journal records. */
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
  test.server.fault = (requested) => (requested.endsWith("/step") ? { pauseAfter: 100_000 } : undefined);
  const cancelled = new AbortController();
  const pending = attempt({ signal: cancelled.signal });
  pending.catch(() => {});
  await untilTrue(async () => (await journalled()) >= 65_536);
  cancelled.abort(new Error("the service ends"));
  await expect(pending).rejects.toThrow("the service ends");
  expect(openFilesBelow(folder)).toEqual([]);
  expect(await journalled()).toBeGreaterThanOrEqual(65_536);
  expect(test.server.requests.some((request) => request.path.startsWith("/second"))).toBe(false);
});

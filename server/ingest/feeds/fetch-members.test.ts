import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { feedOf } from "#test/fetched-part.ts";
import { digest, type FetchingTest, fetchingTest } from "#test/fetching.ts";
import { gribMessage, gribObject, messageCycle, messageLead } from "#test/grib-objects.ts";
import { stored } from "#test/object-server.ts";
import { fetchPart } from "./fetch-part.ts";
import { type FieldFeed, membersDue } from "./field-feed.ts";

const SIZE = 8;
const LATE = 5;
const members = Array.from({ length: SIZE }, (_, member) => member);
const hosts = ["data.example", "second.example"] as const;
const part = { cycle: messageCycle, index: 0, times: [messageCycle + messageLead * 3600] };

/** Members of two messages, each in an object of its own. */
const feed: FieldFeed = {
  ...feedOf({
    kind: "members",
    objects: members.map((member) => ({
      kind: "messages",
      object: `member${member}`,
      index: { object: `member${member}.idx`, form: "wgrib2" },
      wanted: ["UGRD", "VGRD"].map((element) => ({
        element,
        level: "10 m above ground",
        time: "instant",
        part: member,
      })),
    })),
  }),
  ensemble: { plan: "members", size: SIZE, stride: 1 },
};
const due = membersDue(feed, part, 1);

/** The object of a member. @param length Octets of the values of its first message. */
function objectOf(member: number, length: number) {
  const field = (element: string) => `${element}:10 m above ground:6 hour fcst:ENS=+${member}`;
  return gribObject([
    { bytes: gribMessage(Buffer.alloc(length, member)), fields: [field("UGRD")] },
    { bytes: gribMessage(Buffer.alloc(500, member)), fields: [field("VGRD")] },
  ]);
}

let test: FetchingTest;
let folder: string;
/** Digests of the objects that the hosts have now. */
let published: Map<number, string>;

beforeEach(async () => {
  test = await fetchingTest();
  test.clock.seconds = messageCycle;
  folder = await mkdtemp(join(tmpdir(), "members-"));
  published = new Map();
});

afterEach(async () => {
  await test[Symbol.asyncDispose]();
  await rm(folder, { recursive: true, force: true });
});

function publish(of: readonly number[], length = 1000): void {
  for (const member of of) {
    const { bytes, index } = objectOf(member, length);
    published.set(member, digest(bytes));
    for (const host of hosts) {
      test.server.objects.set(`/${host}/store/member${member}`, stored(bytes));
      test.server.objects.set(`/${host}/store/member${member}.idx`, stored(index));
    }
  }
}

const { signal } = new AbortController();
const look = () =>
  fetchPart(feed, part, "standard", { fetcher: test.fetcher(), folder, clock: test.clock, signal });

/** Members whose indices a look asks for, with a position for each host. */
async function askedBy(work: () => Promise<unknown>): Promise<number[][]> {
  const before = test.server.requests.length;
  await work();
  const paths = test.server.requests.slice(before).map(({ path }) => path);
  return hosts.map((host) =>
    paths
      .filter((path) => path.startsWith(`/${host}/`) && path.endsWith(".idx"))
      .map((path) => Number(/(\d+)\.idx$/.exec(path)![1]))
      .sort((one, other) => one - other),
  );
}

async function digestsOf(fetched: Awaited<ReturnType<typeof look>>): Promise<string[]> {
  if (fetched === "absent") return [];
  const names = await readdir(fetched.file);
  const all = await Promise.all(names.map(async (name) => digest(await readFile(join(fetched.file, name)))));
  return all.sort();
}

const others = members.filter((member) => member !== LATE);

it("while one member is late, hosts are asked for its index alone, and once more for the others before these are fetched", async () => {
  publish(others);
  expect(await askedBy(look)).toEqual([members, members]);
  for (let round = 0; round < 3; round++) expect(await askedBy(look)).toEqual([[LATE], [LATE]]);
  publish([LATE]);
  let fetched: Awaited<ReturnType<typeof look>> = "absent";
  const asked = await askedBy(async () => {
    fetched = await look();
  });
  expect(asked).toEqual([members, []]);
  expect(await digestsOf(fetched)).toEqual([...published.values()].sort());
});

it.each([
  ["that comes", true],
  ["that never comes", false],
])(
  "a file that its host replaces while it is asked for another one %s is taken as it is now",
  async (_, comes) => {
    publish(others);
    expect(await look()).toBe("absent");
    publish([2], 1400);
    expect(await look()).toBe("absent");
    if (comes) publish([LATE]);
    else test.clock.seconds = due;
    const fetched = await look();
    expect(fetched).toMatchObject({ mirror: "First", lacking: comes ? [] : [`member ${LATE}`] });
    expect(await digestsOf(fetched)).toEqual([...published.values()].sort());
  },
);

it("a member that was fetched is asked for at no host while a damaged one is awaited", async () => {
  publish(members);
  test.server.fault = (path) => (path.endsWith(`/member${LATE}`) ? { garbage: true } : undefined);
  const waiting = () => expect(look()).rejects.toThrow(`the host lacks member ${LATE}`);
  const only = new Set([LATE]);
  expect((await askedBy(waiting)).map((asked) => new Set(asked))).toEqual([new Set(members), only]);
  expect((await askedBy(waiting)).map((asked) => new Set(asked))).toEqual([only, only]);
  test.server.fault = () => undefined;
  expect(await digestsOf(await look())).toEqual([...published.values()].sort());
});

it("an index that cannot be used is asked for again", async () => {
  publish(others);
  for (const host of hosts)
    test.server.objects.set(`/${host}/store/member1.idx`, stored("<html>busy</html>"));
  const both = [
    [1, LATE],
    [1, LATE],
  ];
  await expect(look()).rejects.toThrow(`the host lacks member 1, member ${LATE}`);
  expect(await askedBy(() => expect(look()).rejects.toThrow())).toEqual(both);
  publish([1]);
  expect(await askedBy(look)).toEqual(both);
  expect(await askedBy(look)).toEqual([[LATE], [LATE]]);
});

it.each([
  ["damaged", { garbage: true }],
  ["cut between two lines", { announce: -objectOf(1, 1000).index.split("\n")[1]!.length - 1 }],
] as const)("an index that was %s on the way is used when it has come whole", async (_, fault) => {
  publish(others);
  test.server.fault = (path) => (path.endsWith("/member1.idx") ? fault : undefined);
  await expect(look()).rejects.toThrow(`the host lacks member 1, member ${LATE}`);
  test.server.fault = () => undefined;
  publish([LATE]);
  expect(await digestsOf(await look())).toEqual([...published.values()].sort());
});

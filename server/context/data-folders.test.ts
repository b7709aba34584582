import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { folderPlace } from "#server/platform/blob-url.ts";
import { openDatabase } from "#server/platform/db.ts";
import { ConfigError, placeOf } from "#server/platform/env.ts";
import { processTag } from "#server/platform/process-identity.ts";
import { describeWithDatabase, temporaryFolders } from "#test/databases.ts";
import { BUCKET, startS3InEnv } from "#test/s3/start-s3.ts";
import { prepareFolders } from "./data-folders.ts";

const foldersIn = (dataDir: string) => ({
  dataDir,
  archiveDir: path.join(dataDir, "archive"),
  archive: { place: folderPlace(path.join(dataDir, "archive")), cacheBytes: 0, minFreeBytes: 0 },
  blobs: folderPlace(path.join(dataDir, "tasks")),
});

const remoteArchive = {
  archive: {
    place: { kind: "https", url: "https://host/archive" } as const,
    cacheBytes: 0,
    minFreeBytes: 0,
  },
};

describeWithDatabase("replicas of one database", (fresh) => {
  const folder = temporaryFolders();

  async function database() {
    const opened = await openDatabase(await fresh());
    return { ...opened, [Symbol.asyncDispose]: opened.close };
  }

  const marker = (dataDir: string, name = "archive") =>
    readFileSync(path.join(dataDir, name, ".store-id"), "utf8").trim();

  it("start on one shared folder, even when they start together for the first time", async () => {
    await using shared = await database();
    const dataDir = path.join(folder(), "new");
    await Promise.all([1, 2, 3, 4].map(() => prepareFolders(foldersIn(dataDir), shared)));
    await prepareFolders(foldersIn(dataDir), shared);
    expect(marker(dataDir)).toMatch(/^[0-9a-f-]{36}$/);
    expect(marker(dataDir, "tasks")).toBe(marker(dataDir));
    expect(readdirSync(path.join(dataDir, "tasks"))).toEqual([".store-id"]);
  });

  it("start on one bucket, even when they start together for the first time", async () => {
    const store = await startS3InEnv();
    try {
      // The latency makes each process look for an id before any has written one.
      store.proxy.latencyMs = 50;
      await using shared = await database();
      const blobs = placeOf(`s3://${BUCKET}/tasks`)!;
      const start = () => prepareFolders({ ...foldersIn(folder()), ...remoteArchive, blobs }, shared);
      await Promise.all([1, 2, 3, 4].map(start));
      await start();
    } finally {
      await store.close();
    }
  });

  it("refuse a private folder, name both, and leave no marker in it", async () => {
    await using shared = await database();
    const [ours, theirs] = [folder(), folder()];
    await prepareFolders(foldersIn(ours), shared);
    const refused = prepareFolders(foldersIn(theirs), shared);
    await expect(refused).rejects.toThrow(ConfigError);
    await expect(refused).rejects.toThrow(
      `${path.join(theirs, "archive", ".store-id")} is missing, and the database expects ${marker(ours)} in it`,
    );
    expect(existsSync(path.join(theirs, "archive", ".store-id"))).toBe(false);
  });

  it("refuse the folder of another database, and a damaged marker, until the operator writes the right one", async () => {
    await using first = await database();
    await using second = await database();
    const [ours, theirs] = [folder(), folder()];
    await prepareFolders(foldersIn(ours), first);
    await prepareFolders(foldersIn(theirs), second);
    await expect(prepareFolders(foldersIn(theirs), first)).rejects.toThrow(
      `says ${marker(theirs)}, and the database ${marker(ours)}`,
    );
    writeFileSync(path.join(ours, "tasks", ".store-id"), "");
    await expect(prepareFolders(foldersIn(ours), first)).rejects.toThrow("says nothing, and the database");
    writeFileSync(path.join(ours, "tasks", ".store-id"), marker(ours));
    await prepareFolders(foldersIn(ours), first);
  });
});

it("a start removes what a killed process left half-written, in every folder", async () => {
  const dataDir = temporaryFolders()();
  // No process can have this number.
  const draft = (name: string) =>
    path.join(dataDir, `${name}.4194305-00000000-${processTag().split("-")[2]}-0000000a.draft`);
  for (const name of ["demo", "tasks/deep", "archive"])
    mkdirSync(path.join(dataDir, name), { recursive: true });
  const drafts = ["key-pepper", "demo/static-world.bin", "tasks/deep/a.result", "archive/manifest.json"].map(
    draft,
  );
  for (const file of drafts) writeFileSync(file, "half");
  await prepareFolders(foldersIn(dataDir), { kind: "embedded", prisma: undefined as never });
  expect(drafts.filter((file) => existsSync(file))).toEqual([]);
});

import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { optimiseRequest } from "#lib/contract/passage.ts";
import { type PassageMeta, passageResponse } from "#lib/contract/passage-reply.ts";
import { knownDangerArea } from "#lib/storms/danger.ts";
import { formatInstant } from "#lib/time.ts";
import { betterPlans } from "#server/metocean/better-routes.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { temporaryFolders } from "#test/databases.ts";
import { claimedTask, computeAll, countedArchive, now, storeRequest } from "#test/piecewise.ts";
import { aheadPoint, allRound, stormOf } from "#test/storms.ts";
import { optimiseHandler } from "./task-handlers.ts";
import { pieceComputer } from "./task-pieces.ts";

const folder = temporaryFolders();
const { signal } = new AbortController();

const body = {
  route: [
    { latitude: 40, longitude: -40 },
    { latitude: 41, longitude: -43 },
  ],
  departure: formatInstant(now),
  vessel: { kind: "sail", polar_name: "cruising_10m" },
  objective: "fastest",
  async: true,
};

it("a task gives what an answer at once gives", async () => {
  const archive = countedArchive();
  const blobs = folderBlobStore(folder());
  const task = claimedTask({ kind: "passages/optimise" });
  await storeRequest(blobs, task, body);
  await computeAll(pieceComputer({ archive, blobs, resultSeconds: 1000 }), task);
  const request = optimiseRequest.parse(body);
  const { plans, meta } = await betterPlans(archive, await archive.manifest(), request, now, signal);
  const { result } = JSON.parse(gunzipSync((await blobs.get("the-result"))!).toString());
  expect(result.results).toEqual(JSON.parse(JSON.stringify(plans)));
  expect(result.meta).toEqual(JSON.parse(JSON.stringify(meta)));
  expect(passageResponse.shape.result.parse(result).results).toHaveLength(2);
});

it("reports how far it is, never backwards, and stops when it is told to", async () => {
  const archive = countedArchive();
  const request = await optimiseHandler.read(Buffer.from(JSON.stringify(body)));
  const task = optimiseHandler.open(request, { archive, manifest: await archive.manifest(), now });
  const reported: number[] = [];
  await task.compute(0, { signal, isEnough: () => false, progress: (share) => reported.push(share) });
  expect(reported.length).toBeGreaterThan(100);
  expect(reported).toEqual([...reported].sort((a, b) => a - b));
  expect(reported.at(-1)).toBe(1);
  const stop = new AbortController();
  const stopped = task.compute(0, {
    signal: stop.signal,
    isEnough: () => false,
    progress: () => stop.abort(new Error("cancelled")),
  });
  await expect(stopped).rejects.toThrow("cancelled");
});

it("keeps clear of the storms that were published when it began, and fails where none are known", async () => {
  const archive = countedArchive();
  const place = { latitude: 40.2, longitude: -41.5 };
  const ahead = [0, 24].map((hour) => aheadPoint(hour, place, allRound(60, 30, null)));
  const entry = stormOf(ahead, { id: "AL012026" });
  const request = await optimiseHandler.read(
    Buffer.from(JSON.stringify({ ...body, storms: "jtwc", limits: { storm_km: 20 } })),
  );
  const context = { archive, manifest: await archive.manifest(), now };
  expect(() => optimiseHandler.open(request, context)).toThrow("The storms of jtwc are not known");
  const task = optimiseHandler.open(request, { ...context, storms: { jtwc: [entry], jma: [] } });
  const { meta } = await task.compute(0, { signal, isEnough: () => false, progress: () => {} });
  const storms = { entries: [entry], areaOf: () => knownDangerArea(entry, "classic") };
  const atOnce = await betterPlans(archive, context.manifest, request, now, signal, { storms });
  expect(meta).toEqual(atOnce.meta);
  expect((meta as PassageMeta).knowledge.join(" ")).toContain("one provider");
});

import { gunzipSync } from "node:zlib";
import { dangerArea, knownDangerArea } from "@open-metocean/storms/danger";
import { expect, it } from "vitest";
import { optimiseRequest, passageRequest } from "#lib/contract/passage.ts";
import { type PassageMeta, passageResponse } from "#lib/contract/passage-reply.ts";
import { questionOf } from "#lib/passage/question.ts";
import { formatInstant } from "#lib/time.ts";
import { betterPlans } from "#server/metocean/better-routes.ts";
import { joinPassageMeta, plansOf } from "#server/metocean/passages.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { temporaryFolders } from "#test/databases.ts";
import { claimedTask, computeAll, countedArchive, now, storeRequest } from "#test/piecewise.ts";
import { aheadPoint, allRound, stormOf } from "#test/storms.ts";
import { optimiseHandler, passagesHandler, type TaskHandler } from "./task-handlers.ts";
import { pieceComputer } from "./task-pieces.ts";

const folder = temporaryFolders();
const { signal } = new AbortController();

/** Five departures of about 600 pieces. */
const body = {
  route: [
    { latitude: 40, longitude: -30 },
    { latitude: 40, longitude: -43 },
  ],
  departures: { from: formatInstant(now), to: formatInstant(now + 4 * 3600), step_hours: 1 },
  vessel: { kind: "fixed", speed_kt: 2 },
  async: true,
};

it("a task of passages gives the plans and orders of an answer at once, whatever pieces it is computed in", async () => {
  const archive = countedArchive();
  const blobs = folderBlobStore(folder());
  const question = questionOf(passageRequest.parse(body));
  const task = claimedTask({ kind: "passages/evaluate", size: question.places });
  await storeRequest(blobs, task, body);
  const outcomes = await computeAll(pieceComputer({ archive, blobs, resultSeconds: 1000, pieceMs: 0 }), task);
  expect(outcomes.length).toBeGreaterThan(1);
  const manifest = await archive.manifest();
  const { plans, meta } = await plansOf(archive, manifest, question, [0, 5], now, signal);
  const { result } = JSON.parse(gunzipSync((await blobs.get("the-result"))!).toString());
  expect(result.results).toEqual(plans);
  expect(result.meta).toEqual(JSON.parse(JSON.stringify(meta)));
  expect(passageResponse.shape.result.parse(result).results).toHaveLength(5);
});

it("a task by model gives the plans and comparisons of an answer at once, whatever pieces it is computed in", async () => {
  const archive = countedArchive();
  const blobs = folderBlobStore(folder());
  const manifest = await archive.manifest();
  const { source } = manifest.runs[0]!;
  const asked = { ...body, models: ["best", source, "nobody"] };
  const question = questionOf(passageRequest.parse(asked));
  const task = claimedTask({ kind: "passages/evaluate", size: question.places });
  await storeRequest(blobs, task, asked);
  const outcomes = await computeAll(pieceComputer({ archive, blobs, resultSeconds: 1000, pieceMs: 0 }), task);
  expect(outcomes.length).toBeGreaterThan(3);
  const atOnce = [];
  for (const from of [0, 5, 10])
    atOnce.push(await plansOf(archive, manifest, question, [from, from + 99], now, signal));
  const { result } = JSON.parse(gunzipSync((await blobs.get("the-result"))!).toString());
  expect(result.results).toEqual(atOnce.flatMap(({ plans }) => plans));
  const meta = atOnce.map((one) => one.meta).reduce(joinPassageMeta);
  expect(result.meta).toEqual(JSON.parse(JSON.stringify(meta)));
  const { comparison } = passageResponse.shape.result.parse(result).meta;
  expect(comparison!.map(({ models }) => models.map(({ model }) => model))).toEqual(
    Array(5).fill(asked.models),
  );
});

it("looks at the storms that were published when it began, in all of its pieces, and says so where there are none", async () => {
  const archive = countedArchive();
  const blobs = folderBlobStore(folder());
  const request = passageRequest.parse({ ...body, storms: "jtwc", storm_method: "season" });
  const question = questionOf(request);
  const task = claimedTask({ kind: "passages/evaluate", size: question.places });
  await storeRequest(blobs, task, request);
  const ahead = [0, 24, 48].map((hour) =>
    aheadPoint(hour, { latitude: 40, longitude: -33 }, allRound(200, 90, null)),
  );
  const entry = stormOf(ahead, { id: "AL012026" });
  const compute = () => pieceComputer({ archive, blobs, resultSeconds: 1000, pieceMs: 0 });
  await expect(compute()({ task, file: "x" }, { signal, progress: () => {} })).rejects.toThrow(
    "The storms of jtwc are not known",
  );
  // The second process receives no storms, because the first piece has recorded them.
  const first = await compute()(
    { task, file: "the-result", storms: { jtwc: [entry], jma: [] } },
    { signal, progress: () => {} },
  );
  expect("share" in first).toBe(true);
  task.pieces.push(task.token++);
  await computeAll(compute(), task);
  const manifest = await archive.manifest();
  const storms = { entries: [entry], areaOf: () => dangerArea(entry, "season") };
  const { plans } = await plansOf(archive, manifest, question, [0, 5], now, signal, { storms });
  const { result } = JSON.parse(gunzipSync((await blobs.get("the-result"))!).toString());
  expect(result.results).toEqual(plans);
  expect(result.results.map(({ storms }: { storms: object }) => Object.keys(storms))).toEqual(
    Array(5).fill(["results", "without_forecast"]),
  );
  expect(result.meta.knowledge.at(-1)).toContain("one provider");
});

const search = {
  route: [
    { latitude: 40, longitude: -40 },
    { latitude: 41, longitude: -43 },
  ],
  departure: formatInstant(now),
  vessel: { kind: "sail", polar_name: "cruising_10m" },
  objective: "fastest",
  async: true,
};

it("a task of a better route gives what an answer at once gives", async () => {
  const archive = countedArchive();
  const blobs = folderBlobStore(folder());
  const task = claimedTask({ kind: "passages/optimise" });
  await storeRequest(blobs, task, search);
  await computeAll(pieceComputer({ archive, blobs, resultSeconds: 1000 }), task);
  const request = optimiseRequest.parse(search);
  const { plans, meta } = await betterPlans(archive, await archive.manifest(), request, now, signal);
  const { result } = JSON.parse(gunzipSync((await blobs.get("the-result"))!).toString());
  expect(result.results).toEqual(JSON.parse(JSON.stringify(plans)));
  expect(result.meta).toEqual(JSON.parse(JSON.stringify(meta)));
  expect(passageResponse.shape.result.parse(result).results).toHaveLength(2);
});

it("keeps clear of the storms that were published when it began, and fails where none are known", async () => {
  const archive = countedArchive();
  const place = { latitude: 40.2, longitude: -41.5 };
  const ahead = [0, 24].map((hour) => aheadPoint(hour, place, allRound(60, 30, null)));
  const entry = stormOf(ahead, { id: "AL012026" });
  const request = await optimiseHandler.read(
    Buffer.from(JSON.stringify({ ...search, storms: "jtwc", limits: { storm_km: 20 } })),
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

it.each([
  ["departures", passagesHandler as TaskHandler, body],
  ["a better route", optimiseHandler as TaskHandler, search],
] as const)(
  "a task of %s reports how far it is, never backwards, and stops when it is told to",
  async (_, handler, sent) => {
    const archive = countedArchive();
    const request = await handler.read(Buffer.from(JSON.stringify(sent)));
    const task = handler.open(request, { archive, manifest: await archive.manifest(), now });
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
  },
);

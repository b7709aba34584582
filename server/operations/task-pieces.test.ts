import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { mapRequest } from "#lib/contract/map2d.ts";
import { requests } from "#lib/contract/wire-schemas.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { ObjectMissingError } from "#server/archive/store.ts";
import { successPieces } from "#server/http/envelope.ts";
import { answerPoints } from "#server/metocean/points.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { pieceName } from "#server/tasks/pieces.ts";
import { PiecesLostError } from "#server/tasks/worker.ts";
import { temporaryFolders } from "#test/databases.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { answerMap } from "#test/map2d.ts";
import {
  claimedTask,
  computeAll,
  countedArchive,
  now,
  pointsBody,
  resultText,
  storeRequest,
} from "#test/piecewise.ts";
import { textOf } from "#test/send.ts";
import { taskSizeLimit } from "./task-handlers.ts";
import { pieceComputer } from "./task-pieces.ts";

const folder = temporaryFolders();
const { signal } = new AbortController();
const resultSeconds = 1000;

describe("the pieces of a task", () => {
  it.each([
    ["without meta", {}],
    ["with meta", { include_meta: true }],
  ])("make the answer that is given at once, to the byte: points %s", async (_, more) => {
    const archive = countedArchive();
    const blobs = folderBlobStore(folder());
    const body = pointsBody(9000, more);
    const task = claimedTask({ size: 9000 });
    await storeRequest(blobs, task, body);
    const compute = pieceComputer({ archive, blobs, resultSeconds, pieceMs: 0 });
    const outcomes = await computeAll(compute, task);
    expect(outcomes.length).toBeGreaterThan(2);
    const request = requests.ManyPointsRequest.parse(body);
    const { results, meta } = await answerPoints(archive, request, now, signal);
    const atOnce = successPieces({
      taskId: task.id,
      taskIdAsList: true,
      results,
      meta,
      seconds: () => 0,
      more: () => ({
        task_name: "Brest",
        created_at: formatInstant(now).replace("Z", ".000Z"),
        finished_at: "-",
        expires_at: "-",
      }),
    });
    const expected = (await textOf({ body: atOnce, headers: {} } as never))
      .replace(/"execution_time":"[^"]+"/, "")
      .replace(/"(finished|expires)_at":"[^"]+"/g, "");
    expect(await resultText(blobs)).toBe(expected);
    const shares = outcomes.map((outcome) => ("share" in outcome ? outcome.share : 1));
    expect(shares).toEqual([...shares].sort((a, b) => a - b));
  });

  it.each([
    ["with meta", undefined],
    ["by model, with meta", ["demo-late", "best", "demo-early"]],
  ])("make the answer that is given at once, to the byte: a box over five hours, %s", async (_, models) => {
    const start = parseInstant("2026-09-15T12:00:00Z");
    const archive = demoArchive(start);
    const blobs = folderBlobStore(folder());
    const timestamp = [formatInstant(start), formatInstant(start + 4 * 3600)];
    const body = {
      bounding_boxes: [{ latitude: [40, 41], longitude: [-41, -40], timestamp }],
      variable: "wind",
      models,
      include_meta: true,
    };
    const task = claimedTask({
      kind: "2DMetOcean",
      size: 250 * (models?.length ?? 1),
      weatherNow: new Date(start * 1000),
    });
    await storeRequest(blobs, task, body);
    const compute = pieceComputer({ archive, blobs, resultSeconds, pieceMs: 0 });
    expect((await computeAll(compute, task)).length).toBe(5 * (models?.length ?? 1));
    const request = mapRequest.parse(body);
    const answer = await answerMap(archive, request, start, taskSizeLimit, signal);
    const expected = await textOf({ body: answer.results.pieces(), headers: {} } as never);
    const text = await resultText(blobs);
    expect(text).toContain(`"results":${expected},`);
    expect(text).toContain(`"meta":${JSON.stringify(answer.meta)}`);
  });

  it("are not computed again after a restart: the next process goes on behind the last stored one", async () => {
    let read = 0;
    const archive = countedArchive((points) => {
      read += points;
    });
    const blobs = folderBlobStore(folder());
    const task = claimedTask({ size: 5000 });
    await storeRequest(blobs, task, pointsBody(5000));
    // Each piece has a process of its own, so that nothing is in memory.
    const restarted = () => pieceComputer({ archive, blobs, resultSeconds, pieceMs: 0 });
    const outcomes = await computeAll((input, context) => restarted()(input, context), task);
    expect(outcomes.length).toBeGreaterThan(2);
    expect(read).toBe(5000);
    expect(JSON.parse(gunzipSync((await blobs.get("the-result"))!).toString()).result.results.length).toBe(
      5000,
    );
  });

  it("are all answered from the manifest of the first one, though another is published meanwhile", async () => {
    const first = countedArchive(undefined, "a");
    const second = countedArchive(undefined, "b");
    const blobs = folderBlobStore(folder());
    const task = claimedTask({ size: 5000 });
    await storeRequest(blobs, task, pointsBody(5000, { include_meta: false }));
    const used = new Set<string>();
    const spied = (archive: typeof first): typeof archive => ({
      ...archive,
      valuesAt: (run, ...rest) => {
        used.add(run.id);
        return archive.valuesAt(run, ...rest);
      },
    });
    let published = first;
    await computeAll((input, context) => {
      const compute = pieceComputer({
        archive: spied(published),
        blobs,
        resultSeconds,
        pieceMs: 0,
      });
      published = second;
      return compute(input, context);
    }, task);
    expect([...used]).toEqual(["a"]);
  });

  it.each([
    ["a run of the first pieces is gone", "gone"],
    ["a stored piece is damaged", "damaged"],
    ["a stored piece is torn", "torn"],
    ["a stored piece is missing", "missing"],
  ])("are given up together when %s: the task begins again", async (_, how) => {
    const archive = countedArchive();
    const blobs = folderBlobStore(folder());
    const task = claimedTask({ size: 5000 });
    await storeRequest(blobs, task, pointsBody(5000));
    const context = { signal, progress: () => {} };
    const options = { blobs, resultSeconds, pieceMs: 0 };
    await pieceComputer({ archive, ...options })({ task, file: "the-result" }, context);
    task.pieces.push(task.token);
    const key = pieceName(task);
    task.token++;
    const bytes = Buffer.from((await blobs.get(key))!);
    const write = (content: Uint8Array) =>
      blobs.put(
        key,
        (async function* () {
          yield content;
        })(),
      );
    if (how === "damaged") {
      bytes[bytes.length >> 1]! ^= 1;
      await write(bytes);
    }
    if (how === "torn") await write(bytes.subarray(0, bytes.length / 2));
    if (how === "missing") await blobs.delete(key);
    const gone = {
      ...archive,
      valuesAt: () => {
        throw new ObjectMissingError("a/points/wind");
      },
    };
    const compute = pieceComputer({ archive: how === "gone" ? gone : archive, ...options });
    await expect(computeAll(compute, task)).rejects.toBeInstanceOf(PiecesLostError);
  });
});

import { connect } from "node:net";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { type MapField, MIN_STORED } from "#lib/field/map-field.ts";
import { mapPieces } from "#lib/field/serialise.ts";
import { ProcessingError, UnavailableError } from "#server/platform/errors.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { testAnswers } from "#test/answers.ts";
import { describeWithDatabase } from "#test/databases.ts";
import {
  envelopeEndpoint,
  openTestServer,
  sampleSchema,
  type TestServer,
  testRequestContext,
} from "#test/http.ts";
import { openFilesBelow } from "#test/open-files.ts";
import { openTestStore, type TestStore } from "#test/tasks.ts";
import { mapAnswerFormats, pointAnswerFormats } from "./answer-formats.ts";
import type { Answer } from "./envelope-reply.ts";

const provenance = [{ variable: "wind", dataset: "Forecast", model: "GFS 0.25°", run: "gfs.1" }];
const meta = { provenance, nulls: [] };
const request = { points: [{ latitude: 1 }] };

/** The numbers do not compress, so the stored answer is read from its file while it is sent. */
const pseudoRandom = (i: number) => (Math.imul(i + 1, 2_654_435_761) >>> 8) % 36_000;

const pointsOf = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    coordinates: { latitude: pseudoRandom(i) / 1000, longitude: i / 100, timestamp: "2026-01-01T00:00:00Z" },
    conditions: { Winds_10m_Direction: pseudoRandom(i) / 100, Winds_10m_Intensity: i % 7 ? 1.5 : null },
  }));

const fieldOf = (rows: number): MapField => ({
  latitude: Float64Array.from({ length: rows }, (_, i) => i / 4),
  longitude: Float64Array.from({ length: 200 }, (_, i) => i / 4),
  times: ["2026-01-01T00:00:00Z"],
  isRange: false,
  outputs: (["Winds_10m_Direction", "Winds_10m_Intensity"] as const).map((name, at) => ({
    name,
    unit: at === 0 ? "°" : "m/s",
    title: at === 0 ? "Wind, direction from" : "Wind speed",
    decimals: at === 0 ? 1 : 2,
    entries: Uint16Array.from({ length: 200 * rows }, (_, i) => (pseudoRandom(i) % 3600) - MIN_STORED),
  })),
});

const mapAnswer = (field: MapField) => ({
  results: { pieces: () => mapPieces(field) },
  field,
  meta,
  synthetic: true,
});

const success = {
  small: () => ({ results: pointsOf(3), meta, synthetic: true }),
  points: () => ({ results: pointsOf(5_000), meta, synthetic: true }),
  map: () => mapAnswer(fieldOf(100)),
  /** The answer is larger than the buffers of streams and sockets. */
  large: () => mapAnswer(fieldOf(1000)),
};

describeWithDatabase("an answer under an Idempotency-Key", (fresh) => {
  let test: TestStore;
  let server: TestServer;
  let folder: string;
  let compute: () => Answer;
  let put: (key: string) => void;
  let writeRow: () => void;

  beforeAll(async () => {
    const place = await fresh();
    test = await openTestStore(place);
    folder = `${place.dataDir}/tasks`;
    const files = folderBlobStore(folder);
    const blobs = {
      ...files,
      put: async (...input: Parameters<typeof files.put>) => {
        put(input[0]);
        return files.put(...input);
      },
    };
    const tables: typeof test.tables = {
      ...test.tables,
      $executeRaw: (...statement) => {
        writeRow();
        return test.tables.$executeRaw(...statement);
      },
    };
    const wide = { count: 1e6, periodSeconds: 60, text: "1000000 per 1 minute" };
    const answers = testAnswers(tables, blobs);
    const context = { ...testRequestContext({ "good-key": wide }), answers };
    const rules = { schema: sampleSchema, limitBytes: 1e6, group: "data" } as const;
    const answer = async () => compute() as never;
    const points = { ...rules, taskIdAsList: true, formats: pointAnswerFormats };
    server = await openTestServer(
      {
        "/points": { POST: envelopeEndpoint(points, answer) },
        "/map": { POST: envelopeEndpoint({ ...rules, formats: mapAnswerFormats }, answer) },
      },
      { context },
    );
  });
  afterAll(async () => {
    await server?.close();
    await test?.database.close();
  });
  beforeEach(async () => {
    await test.database.prisma.idempotencyKey.deleteMany();
    compute = success.small;
    put = () => undefined;
    writeRow = () => undefined;
  });

  async function ask(path: string, accept = "application/json", body: object = request) {
    const headers = { "idempotency-key": "one", accept, "accept-encoding": "identity" };
    const reply = await server.post(path, body, headers);
    return {
      status: reply.status,
      type: reply.headers.get("content-type"),
      replayed: reply.headers.get("idempotent-replayed") === "true",
      stored: reply.headers.get("x-idempotency-key"),
      bytes: Buffer.from(await reply.arrayBuffer()),
    };
  }

  it.each([
    ["an unexpected error", new TypeError("undefined at /srv/secret.ts"), 200],
    ["a damaged archive", new ProcessingError("The stored wind is damaged"), 200],
    ["an overload", new UnavailableError("Too much is computed", 5), 503],
  ])("is computed again after %s", async (_what, error, status) => {
    compute = () => {
      throw error;
    };
    const failed = await ask("/points");
    expect([failed.status, failed.bytes.includes('"SUCCESS"')]).toEqual([status, false]);
    compute = success.small;
    const reply = await ask("/points");
    expect([reply.status, reply.replayed, reply.bytes.includes('"SUCCESS"')]).toEqual([200, false, true]);
    expect(await ask("/points")).toEqual({ ...reply, replayed: true });
  });

  it.each([
    ["/points", "application/json", success.small],
    ["/points", "text/csv", success.points],
    ["/map", "application/json", success.map],
    ["/map", "text/csv", success.map],
  ] as const)(
    "of %s as %s is sent when the disk is full, and says that it was not stored",
    async (path, type, answer) => {
      compute = answer;
      put = () => {
        throw Object.assign(new Error("ENOSPC: no space left on device"), { code: "ENOSPC" });
      };
      const full = await ask(path, type);
      expect([full.status, full.type, full.stored]).toEqual([200, type, "not-stored"]);
      put = () => undefined;
      const later = await ask(path, type);
      expect([later.replayed, later.stored, later.bytes.length]).toEqual([false, null, full.bytes.length]);
      expect((await ask(path, type)).replayed).toBe(true);
    },
  );

  it("leaves its key free where the process dies before the answer is stored, or its blob is lost", async () => {
    writeRow = () => {
      throw new Error("Killed between the blob and the row");
    };
    expect((await ask("/points")).stored).toBe("not-stored");
    writeRow = () => undefined;
    expect((await ask("/points")).replayed).toBe(false);
    const { answerFile } = await test.database.prisma.idempotencyKey.findFirstOrThrow();
    await folderBlobStore(folder).delete(answerFile!);
    expect((await ask("/points")).replayed).toBe(false);
    expect((await ask("/points")).replayed).toBe(true);
  });

  it("leaves no file open after 50 replays, with another body, or to clients that leave", async () => {
    compute = success.large;
    await ask("/map");
    for (let call = 0; call < 50; call++) {
      expect((await ask("/map", undefined, { ...request, name: "other" })).status).toBe(422);
      await leave("/map", "application/json");
      await leave("/map", "text/csv");
    }
    await vi.waitFor(() => expect(openFilesBelow(folder)).toEqual([]));
  });

  /** Sends a request, and closes the connection at the first byte of the reply. */
  function leave(path: string, accept: string): Promise<void> {
    const body = JSON.stringify(request);
    const { port } = new URL(server.url);
    return new Promise((resolve, reject) => {
      const socket = connect(Number(port), "127.0.0.1");
      socket.write(
        `POST ${path} HTTP/1.1\r\nHost: x\r\nX-API-Key: good-key\r\nContent-Type: application/json\r\n` +
          `Idempotency-Key: one\r\nAccept: ${accept}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
      );
      socket.once("data", () => socket.destroy());
      socket.once("close", () => resolve());
      socket.once("error", reject);
    });
  }
});

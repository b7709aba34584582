import { afterAll, beforeAll, expect, it } from "vitest";
import {
  mapMediaTypes,
  oneModelMediaTypes,
  passageMediaTypes,
  pointMediaTypes,
} from "#lib/contract/media-types.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { testAnswers } from "#test/answers.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { testContext, testRequestContext } from "#test/http.ts";
import { seeded } from "#test/seeded.ts";
import { ask, bytesOf, connectContext } from "#test/send.ts";
import { openTestStore, type TestStore } from "#test/tasks.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const DAY = 86_400;
const random = seeded(5);

/** Places near each other, of all datasets. */
const points = (count: number) =>
  Array.from({ length: count }, (_, at) => ({
    latitude: 40 + Math.round(2e4 * random()) / 1e4,
    longitude: -40 + Math.round(2e4 * random()) / 1e4,
    timestamp: formatInstant(now - [0, 20, 200][at % 3]! * DAY),
  }));

const requests = {
  points: { path: "/MetOcean", types: pointMediaTypes, body: { points: points(3), variables: ["wave"] } },
  /** The answer is larger than one read. */
  "many points": {
    path: "/MetOcean",
    types: pointMediaTypes,
    body: { points: points(800), variables: ["wave", "wind"] },
  },
  box: {
    path: "/2DMetOcean",
    types: mapMediaTypes,
    body: {
      bounding_boxes: [{ latitude: [30, 32], longitude: [-43, -42], timestamp: formatInstant(now) }],
      variable: "wind",
    },
  },
  passage: {
    path: "/passages/evaluate",
    types: passageMediaTypes,
    body: {
      route: [
        { latitude: 40, longitude: -42 },
        { latitude: 40.3, longitude: -42.6 },
      ],
      departures: { from: formatInstant(now), to: formatInstant(now + DAY), step_hours: 12 },
      vessel: { kind: "motor", speed_kt: 9 },
      include_pieces: true,
    },
  },
} as const;

/** Headers of the connection, headers that only a replay has, and headers that grow between the replies. */
const OF_TRANSFER =
  /^(?:ratelimit|x-ratelimit-.*|content-length|content-encoding|idempotent-replayed|x-data-age)$/;

describeWithDatabase("a replay under an Idempotency-Key", (fresh) => {
  let test: TestStore;
  beforeAll(async () => {
    const place = await fresh();
    test = await openTestStore(place);
    const wide = { count: 1e6, periodSeconds: 60, text: "1000000 per 1 minute" };
    const archive = demoArchive(now);
    const blobs = folderBlobStore(`${place.dataDir}/tasks`);
    const answers = testAnswers(test.tables, blobs);
    const context = { ...testRequestContext({ "good-key": wide }), weather: { now: () => now } };
    connectContext(testContext({ ...context, archive, answers }));
  });
  afterAll(() => test?.database.close());

  const cases = Object.keys(requests).flatMap((kind) =>
    // Plans of passages always have their meta.
    (kind === "passage" ? [false] : [false, true]).map(
      (meta) => [kind as keyof typeof requests, meta] as const,
    ),
  );

  it.each(["application/json", "text/csv"])(
    "of an ensemble is repeated as it was first sent, %s, in whatever format a later request accepts",
    async (first) => {
      const timestamp = formatInstant(now + DAY);
      const body = { points: [{ latitude: 40, longitude: -42, timestamp }], variables: ["wind"] };
      const reply = (accept: string) =>
        ask("POST", "/MetOcean/ensemble", {
          body,
          headers: { accept, "idempotency-key": `as-sent-${first}` },
        });
      const sent = await reply(first);
      const bytes = await bytesOf(sent);
      expect(sent.headers["content-type"]).toBe(first);
      for (const accept of ["text/csv", "application/json", "application/x-netcdf"]) {
        const again = await reply(accept);
        expect([again.headers["idempotent-replayed"], again.headers["content-type"]]).toEqual([
          "true",
          first,
        ]);
        expect(again.headers).not.toHaveProperty("as-sent");
        expect(await bytesOf(again)).toEqual(bytes);
      }
    },
  );

  it.each(cases)("of %s, with meta: %s, equals the direct answer, in all formats", async (kind, meta) => {
    const { path, types, body } = requests[kind];
    const sent = { ...body, include_meta: meta };
    const reply = async (accept: string, encoding?: string, key?: string) => {
      const headers = { accept, "accept-encoding": encoding, "idempotency-key": key };
      const answer = await ask("POST", path, { body: sent, headers });
      const bytes = await bytesOf(answer);
      const stated = Object.entries(answer.headers).filter(([name]) => !OF_TRANSFER.test(name));
      return {
        status: answer.status,
        replayed: answer.headers["idempotent-replayed"] === "true",
        headers: {
          ...Object.fromEntries(stated),
          vary: answer.headers.vary?.replace(", Accept-Encoding", ""),
        },
        // Each computation has an id and a duration of its own.
        text: bytes
          .toString("latin1")
          .replace(/"task_id":(\[?)"[^"]+"/, '"task_id":$1""')
          .replace(/"execution_time":"[^"]+"/, ""),
      };
    };
    const all = ["application/json", ...types];
    const direct = new Map<string, Awaited<ReturnType<typeof reply>>>();
    for (const type of all) direct.set(type, await reply(type));
    for (const first of all) {
      const key = [kind.replace(" ", "-"), meta, first].join(":");
      expect(await reply(first, undefined, key)).toEqual(direct.get(first));
      for (const type of all)
        for (const encoding of first === all[0] ? [undefined, "gzip"] : [undefined]) {
          const replay = await reply(type, encoding, key);
          expect(replay.replayed, `${first}, then ${type}`).toBe(true);
          expect({ ...replay, replayed: false }, `${first}, then ${type}`).toEqual(direct.get(type));
        }
    }
    expect(direct.get("application/json")!.text.includes('"meta":{"provenance"')).toBe(meta);
    expect(direct.get("text/csv")!.text).toMatch(/DEMO-WORLD/);
  });

  it.each(["box", "points"] as const)(
    "of %s by model has the models in each format that names them, and is refused in the others",
    async (kind) => {
      const { path, types, body } = requests[kind];
      const sent = { ...body, models: ["best", "demo-late"], include_meta: true };
      const key = `${kind}-by-model`;
      const reply = (accept: string, stored?: string) =>
        ask("POST", path, { body: sent, headers: { accept, "idempotency-key": stored } });
      expect((await reply("application/json", key)).status).toBe(200);
      for (const type of types) {
        const [direct, replay] = [await reply(type), await reply(type, key)];
        const isRefused = oneModelMediaTypes.includes(type);
        expect([type, direct.status, replay.status]).toEqual([
          type,
          ...(isRefused ? [422, 422] : [200, 200]),
        ]);
        if (isRefused) continue;
        expect(replay.headers["idempotent-replayed"]).toBe("true");
        expect((await bytesOf(replay)).equals(await bytesOf(direct)), type).toBe(true);
      }
    },
  );
});

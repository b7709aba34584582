import { beforeEach, describe, expect, it } from "vitest";
import { mapLimits, mapResponse } from "#lib/contract/map2d.ts";
import { formatInstant, monthsBefore, parseInstant } from "#lib/time.ts";
import type { Reply } from "#server/http/api-request.ts";
import { demoArchive } from "#test/demo-archive.ts";
import { ask, connectWeather, textOf } from "#test/send.ts";

const now = parseInstant("2026-09-15T12:00:00Z");
const DAY = 86_400;
const demo = demoArchive(now);

beforeEach(() => {
  connectWeather(now, { archive: demo });
});

const box = { latitude: [30, 31], longitude: [-43, -42], timestamp: formatInstant(now) };
const body = (part: object = {}, rest: object = {}) => ({
  bounding_boxes: [{ ...box, ...part }],
  variable: "wave",
  ...rest,
});

async function send(
  body: unknown,
  path = "/2DMetOcean",
  accept?: string,
): Promise<{ reply: Reply; text: string }> {
  const reply = await ask("POST", path, { body, headers: { accept } });
  return { reply, text: await textOf(reply) };
}

const answerTo = async (request: object) => JSON.parse((await send(request)).text);

describe("POST /2DMetOcean", () => {
  it("answers with one result, a task_id that is a string, and no meta", async () => {
    const { reply, text } = await send(body());
    expect([reply.status, reply.headers["x-data-provenance"]]).toEqual([200, "synthetic"]);
    const answer = JSON.parse(text);
    mapResponse.parse(answer);
    expect(Object.keys(answer)).toEqual(["task_id", "status", "result"]);
    expect(answer.task_id).toBeTypeOf("string");
    expect(Object.keys(answer.result)).toEqual(["results", "execution_time"]);
    expect(answer.result.results[0].coordinates).toEqual({
      latitude: [30, 30.25, 30.5, 30.75, 31],
      longitude: [-43, -42.75, -42.5, -42.25, -42],
      timestamp: box.timestamp,
    });
  });

  it.each([
    ["wind", ["Winds_10m_Direction", "Winds_10m_Intensity"]],
    ["wave", ["Waves_Mean_Direction", "Waves_Significant_Height", "Waves_Mean_Period"]],
    // Row 33: Currents_Speed here, Currents_Intensity at points, never both.
    ["current", ["Currents_Direction", "Currents_Speed"]],
  ])("%s has its 2D field names", async (variable, names) => {
    const { result } = await answerTo(body({}, { variable }));
    expect(Object.keys(result.results[0].conditions).sort()).toEqual([...names].sort());
    for (const rows of Object.values<number[][]>(result.results[0].conditions))
      expect([rows.length, rows[0]?.length]).toEqual([5, 5]);
  });

  it("a node between steps equals POST /MetOcean to the digit", async () => {
    const timestamp = "2026-09-15T13:17:41Z";
    const { conditions, coordinates } = (await answerTo(body({ timestamp }))).result.results[0];
    const point = { latitude: coordinates.latitude[2], longitude: coordinates.longitude[3], timestamp };
    const { text } = await send({ points: [point], variables: ["wave"] }, "/MetOcean");
    for (const [name, value] of Object.entries(JSON.parse(text).result.results[0].conditions))
      expect(conditions[name][2][3]).toBe(value);
  });

  it("of one model has that model's numbers at points, and none where it has no runs", async () => {
    const timestamp = formatInstant(now + 5 * DAY);
    const at = (models: string[], variable = "wind") => answerTo(body({ timestamp }, { variable, models }));
    const speeds = async (model: string) =>
      (await at([model])).result.results[0].conditions.Winds_10m_Intensity[2];
    const late = await speeds("demo-late");
    expect(late).not.toEqual(await speeds("best"));
    expect(await speeds("demo-world")).toEqual(await speeds("best"));
    const points = box.longitude.map((longitude) => ({ latitude: 30.5, longitude, timestamp }));
    const request = { points, variables: ["wind"], models: ["demo-late"] };
    const { result } = JSON.parse((await send(request, "/MetOcean")).text);
    expect([late[0], late[4]]).toEqual(
      result.results.map(({ conditions }: { conditions: object }) =>
        Reflect.get(conditions, "Winds_10m_Intensity"),
      ),
    );
    const waves = (await at(["demo-late"], "wave")).result.results[0].conditions.Waves_Significant_Height;
    expect(new Set(waves.flat())).toEqual(new Set([null]));
    expect((await at(["demo-later"])).detail[0].loc).toEqual(["body", "models", 0]);
  });

  describe("of several models", () => {
    const models = ["best", "demo-early", "demo-late", "best"];
    const timestamp = [now + 5 * DAY, now + 5 * DAY + 2 * 3600].map(formatInstant);

    it("has a result for each, on one grid, with the numbers that each has alone", async () => {
      const answer = await answerTo(body({ timestamp }, { variable: "wind", models, include_meta: true }));
      mapResponse.parse(answer);
      const { results, meta } = answer.result;
      const names = results.map(({ coordinates }: { coordinates: { model: string } }) => coordinates.model);
      expect(names).toEqual(["best", "demo-early", "demo-late"]);
      for (const [at, model] of names.entries()) {
        const alone = await answerTo(body({ timestamp }, { variable: "wind", models: [model] }));
        expect(results[at]).toEqual(alone.result.results[0]);
      }
      const { coordinates, conditions } = (await answerTo(body({ timestamp }, { variable: "wind" }))).result
        .results[0];
      expect(results[0]).toEqual({ coordinates: { ...coordinates, model: "best" }, conditions });
      expect(results[1].conditions).not.toEqual(results[2].conditions);
      const rows = meta.provenance.map(({ answer, source, grid_step, step_h, points }: never) => [
        ...[answer, source, grid_step, step_h, points],
      ]);
      expect(rows).toEqual([
        ["best", "demo-world", 0.25, 1, 75],
        ["demo-early", "demo-early", 0.25, 1, 75],
        ["demo-late", "demo-late", 0.25, 1, 75],
      ]);
    });

    it("says which of them has no value and why", async () => {
      const { results, meta } = (
        await answerTo(body({ timestamp }, { models: ["demo-early", "demo-late"], include_meta: true }))
      ).result;
      expect(new Set(results[1].conditions.Waves_Significant_Height.flat(2))).toEqual(new Set([null]));
      expect(results[0].conditions.Waves_Significant_Height.flat(2)).not.toContain(null);
      const steps = results[0].coordinates.timestamp.length;
      expect(meta.nulls).toEqual([{ answer: "demo-late", reason: "out_of_archive", points: 25 * steps }]);
    });

    it("counts each model in the limit of size", async () => {
      const globe = { latitude: [-90, 90], longitude: [-180, 179.75], timestamp: timestamp[0] };
      const asked = body(globe, { variable: "wave", models: ["best", "demo-early", "demo-world"] });
      const [issue] = (await answerTo(asked)).detail;
      expect(issue.ctx).toEqual({ values: 721 * 1440 * 3 * 3, most: mapLimits.sync });
      expect(issue.msg).toContain("× 3 fields × 3 models)");
    });

    it("has a column model in tables, and is refused in formats that do not name models", async () => {
      const csv = (await send(body({ timestamp }, { variable: "wind", models }), "/2DMetOcean", "text/csv"))
        .text;
      const [header, ...lines] = csv.trimEnd().split("\r\n");
      expect(header).toContain(",timestamp,model,Winds_10m_Direction");
      expect(lines).toHaveLength(3 * 3 * 25);
      expect([...new Set(lines.map((line) => line.split(",")[3]))]).toEqual([
        "best",
        "demo-early",
        "demo-late",
      ]);
      for (const type of ["application/x-grib2", "application/vnd.metocean.field+binary"]) {
        const { reply, text } = await send(body({ timestamp }, { models }), "/2DMetOcean", type);
        expect([type, reply.status, JSON.parse(text).detail[0].loc]).toEqual([type, 422, ["body", "models"]]);
        const one = await send(body({ timestamp }, { models: ["demo-early"] }), "/2DMetOcean", type);
        expect([type, one.reply.status]).toEqual([type, 200]);
      }
    });
  });

  it("a range of one instant is a list of one, in timestamp and fields", async () => {
    const timestamp = [box.timestamp, box.timestamp];
    const { conditions, coordinates } = (await answerTo(body({ timestamp }))).result.results[0];
    expect(coordinates.timestamp).toEqual([box.timestamp]);
    expect(conditions.Waves_Mean_Period).toHaveLength(1);
    expect(conditions.Waves_Mean_Period[0]).toHaveLength(5);
  });

  it("answers at both ends of the time window, and rejects one second beyond each", async () => {
    const [first, last] = [monthsBefore(now, 36), now + 10 * DAY];
    for (const time of [first, last]) {
      const { result } = await answerTo(body({ timestamp: formatInstant(time) }));
      expect(result.results[0].conditions.Waves_Significant_Height.flat()).not.toContain(null);
    }
    for (const time of [first - 1, last + 1]) {
      const { reply, text } = await send(body({ timestamp: formatInstant(time) }));
      expect(reply.status).toBe(422);
      expect(JSON.parse(text).detail[0].loc).toEqual(["body", "bounding_boxes", 0, "timestamp"]);
    }
  });
});

describe("formats by Accept", () => {
  it.each(["/2DMetOcean", "/MetOcean"])(
    "%s: each with its notice and provenance, and JSON for an unknown wish",
    async (path) => {
      const point = { latitude: 30, longitude: -43, timestamp: box.timestamp };
      const request = path === "/MetOcean" ? { points: [point], variables: ["wave"] } : body();
      for (const type of [
        "text/csv",
        "application/x-ndjson",
        "application/vnd.apache.arrow.stream",
        "application/x-netcdf",
      ]) {
        const { reply, text } = await send(request, path, `${type}, application/json;q=0.5`);
        expect([reply.status, reply.headers["content-type"], reply.headers.vary]).toEqual([
          200,
          type,
          "Accept",
        ]);
        expect(text).toContain("Not for navigation");
        expect(text).toContain("DEMO-WORLD");
        expect(text).toContain("Waves_Significant_Height");
      }
      const { reply, text } = await send(request, path, "application/pdf");
      expect(reply.headers["content-type"]).toBe("application/json");
      expect(JSON.parse(text).result).not.toHaveProperty("meta");
    },
  );
});

describe("validation errors of POST /2DMetOcean, in pydantic's form", () => {
  it.each([
    [{ bounding_boxes: [], variable: "wind" }, "too_short", "bounding_boxes"],
    [{ bounding_boxes: [box, box], variable: "wind" }, "too_long", "bounding_boxes"],
    [{ bounding_boxes: box, variable: "wind" }, "list_type", "bounding_boxes"],
    [body({ latitude: [31, 30] }), "value_error", "bounding_boxes.0.latitude"],
    [body({ latitude: [31] }), "too_short", "bounding_boxes.0.latitude"],
    [body({ longitude: [1, 2, 3] }), "too_long", "bounding_boxes.0.longitude"],
    [body({ latitude: [80, 90.5] }), "less_than_equal", "bounding_boxes.0.latitude.1"],
    [body({ longitude: [10, 190] }), "less_than_equal", "bounding_boxes.0.longitude.1"],
    [body({ longitude: ["1", 2] }), "float_type", "bounding_boxes.0.longitude.0"],
    [body({ timestamp: undefined }), "missing", "bounding_boxes.0.timestamp"],
    [body({ timestamp: 5 }), "string_type", "bounding_boxes.0.timestamp"],
    [body({ timestamp: "2026-09-15" }), "datetime_parsing", "bounding_boxes.0.timestamp"],
    [
      body({ timestamp: [box.timestamp, "2026-02-30T00:00:00Z"] }),
      "datetime_parsing",
      "bounding_boxes.0.timestamp.1",
    ],
    [body({ timestamp: [box.timestamp] }), "too_short", "bounding_boxes.0.timestamp"],
    [
      body({ timestamp: [box.timestamp, "2026-09-15T11:59:59Z"] }),
      "value_error",
      "bounding_boxes.0.timestamp",
    ],
    [
      body({ timestamp: ["2026-08-01T00:00:00Z", "2026-09-01T00:00:01Z"] }),
      "value_error",
      "bounding_boxes.0.timestamp",
    ],
    [body({}, { variable: "gust" }), "literal_error", "variable"],
    [body({}, { async: "yes" }), "bool_type", "async"],
    [body({}, { task_name: "a\0" }), "string_unicode", "task_name"],
  ] as [object, string, string][])("of %j is %s at %s", async (request, type, loc) => {
    const { reply, text } = await send(request);
    expect(reply.status).toBe(422);
    const [issue] = JSON.parse(text).detail;
    expect([issue.type, issue.loc.slice(1).join(".")]).toEqual([type, loc]);
    expect(issue).not.toHaveProperty("input");
  });

  it("31 days exactly are answered; too many values are counted, and the error says how to split the request", async () => {
    const month = ["2026-08-01T00:00:00Z", "2026-09-01T00:00:00Z"];
    const whole = { latitude: [-90, 90], longitude: [-180, 180] };
    const { reply, text } = await send(body({ ...whole, timestamp: month }, { variable: "wind" }));
    expect(reply.status).toBe(422);
    const [issue] = JSON.parse(text).detail;
    expect(issue.ctx).toEqual({ values: 745 * 721 * 1440 * 2, most: mapLimits.sync });
    expect(issue.msg).toContain("745 steps × 721 rows × 1440 columns × 2 fields");
    expect(issue.msg).toMatch(/request ranges of \d+ steps or less/);
    const small = { latitude: [30, 30], longitude: [-42, -42], timestamp: month };
    expect((await answerTo(body(small))).result.results[0].coordinates.timestamp).toHaveLength(249);
  });
});

import { isDeepStrictEqual } from "node:util";
import { variable } from "#lib/catalog/variables.ts";
import { type Map2dVariable, mapResponse } from "#lib/contract/map2d.ts";
import { pointResponse } from "#lib/contract/point.ts";
import { type TidePrediction, type TidesNow, tidePrediction, tidesNow } from "#lib/contract/tides.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { boxBody, pointBody } from "./bodies.ts";
import type { FuzzClient } from "./client.ts";
import type { Json } from "./json.ts";
import type { Random } from "./random.ts";
import type { FuzzRequest } from "./requests.ts";
import { heightStation } from "./tides.ts";

/** Answers that must agree with each other, whatever the numbers are. */
export interface Asked {
  client: FuzzClient;
  key: string;
  now: number;
  random: Random;
}

type Body = { [name: string]: Json };

type PointResult = { coordinates: object; conditions: Record<string, number | null | undefined> };

/** Each returns what does not hold; undefined where all does. */
export const meanings: Readonly<Record<string, (asked: Asked) => Promise<string | undefined>>> = {
  "the order of points does not matter": async (asked) => {
    const body = pointBody(asked.random, asked.now, 12);
    const points = body.points as Json[];
    const order = points.map((_, index) => index).sort(() => asked.random.between(-1, 1));
    const [straight, shuffled] = [
      await pointsOf(asked, body),
      await pointsOf(asked, { ...body, points: order.map((index) => points[index]!) }),
    ];
    return difference(
      order.map((index) => straight[index]!),
      shuffled,
    );
  },

  "points asked for alone are those asked for together": async (asked) => {
    const body = pointBody(asked.random, asked.now, 6);
    const together = await pointsOf(asked, body);
    const alone: PointResult[] = [];
    for (const point of body.points as Json[])
      alone.push(...(await pointsOf(asked, { ...body, points: [point] })));
    return difference(together, alone);
  },

  "every format has the same numbers": async (asked) => {
    const body = pointBody(asked.random, asked.now, 6);
    const expected = (await pointsOf(asked, body)).map(({ conditions }) => Object.values(conditions));
    const lines = (await post(asked, "/MetOcean", body, "application/x-ndjson")).trim().split("\n");
    const rows = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const named = rows.map((row) => JSON.stringify(row));
    for (const [index, values] of expected.entries()) {
      const missing = values.find(
        (value) => typeof value === "number" && !named[index]?.includes(String(value)),
      );
      if (missing !== undefined) return `${missing} is not in line ${index} of NDJSON: ${named[index]}`;
    }
    const csv = await post(asked, "/MetOcean", body, "text/csv");
    const table = csv
      .trim()
      .split(/\r?\n/)
      .filter((line) => !line.startsWith("#"));
    if (table.length !== expected.length + 1)
      return `CSV has ${table.length} lines for ${expected.length} points`;
    for (const [index, values] of expected.entries()) {
      const cells = new Set(table[index + 1]!.split(",").map((cell) => (cell === "" ? null : Number(cell))));
      const missing = values.find((value) => !cells.has(value ?? null));
      if (missing !== undefined) return `${missing} is not in CSV: ${table[index + 1]}`;
    }
    return undefined;
  },

  "a task answers what is answered at once": async (asked) => {
    const body = pointBody(asked.random, asked.now, 6);
    const expected = await pointsOf(asked, body);
    const { task_id } = JSON.parse(await post(asked, "/MetOcean/async", body)) as { task_id: string };
    const headers = { "x-api-key": asked.key };
    for (;;) {
      const { body: found } = await asked.client.send({ method: "GET", target: `/task/${task_id}`, headers });
      const value = JSON.parse(found.toString()) as { status: string; result?: { results: PointResult[] } };
      if (value.status === "PENDING") continue;
      return value.status === "SUCCESS" ? difference(expected, value.result!.results) : found.toString();
    }
  },

  "a node of a box is the point there": async (asked) => {
    const body = boxBody(asked.random, asked.now);
    const text = await post(asked, "/2DMetOcean", body);
    const { result } = mapResponse.parse(JSON.parse(text));
    const { coordinates, conditions } = result.results[0]!;
    const [row, column] = [
      asked.random.below(coordinates.latitude.length),
      asked.random.below(coordinates.longitude.length),
    ];
    const [point] = await pointsOf(asked, {
      points: [
        {
          latitude: coordinates.latitude[row]!,
          longitude: coordinates.longitude[column]!,
          timestamp: coordinates.timestamp as string,
        },
      ],
      variables: [body.variable!],
    });
    for (const { point: name, map2d } of variable(body.variable as Map2dVariable).outputs) {
      if (map2d === undefined) continue;
      const node = (conditions[map2d] as (number | null)[][])[row]![column]!;
      if (node !== point!.conditions[name]) {
        return `${name} at row ${row}, column ${column} is ${node} in the box, ${point!.conditions[name]} at the point: ${JSON.stringify(body)}`;
      }
    }
    return undefined;
  },

  "the tide of a period is that of its parts, and of the map": async (asked) => {
    const { random } = asked;
    const id = heightStation(random);
    const from = asked.now + random.below(20_000) * HOUR_S;
    const times = [0, 1 + random.below(40), 50 + random.below(200)].map((hours) => from + hours * HOUR_S);
    const [whole, ...parts] = [
      await tideOf(asked, id, times[0]!, times[2]!),
      await tideOf(asked, id, times[0]!, times[1]!),
      await tideOf(asked, id, times[1]!, times[2]!),
    ] as const;
    const { latitude, longitude } = whole.station;
    const bbox = [longitude - 0.01, latitude - 0.01, longitude + 0.01, latitude + 0.01].join();
    const { tides } = await mapOf(asked, `bbox=${bbox}&kind=tide&at=${formatInstant(from)}`);
    const height = tides.height_m[tides.id.indexOf(id)];
    if (height !== whole.curve!.heights_m[0])
      return `${id} at ${formatInstant(from)}: ${whole.curve!.heights_m[0]} m, on the map ${height}`;
    const curve = parts.flatMap((part) => part.curve!.heights_m);
    if (!isDeepStrictEqual(curve, whole.curve!.heights_m))
      return `${id} from ${formatInstant(from)}: the curve of ${times} is not that of its parts`;
    // Times are found to half a second and told by the minute.
    const inside = ({ time }: { time: string }) =>
      times.every((limit) => Math.abs(parseInstant(time) - limit) > 60);
    const expected = whole.extremes.filter(inside);
    const found = parts.flatMap(({ extremes }) => extremes.filter(inside));
    const isSame = (one: (typeof found)[number], other: (typeof found)[number] | undefined) =>
      one.type === other?.type &&
      one.height_m === other.height_m &&
      Math.abs(parseInstant(one.time) - parseInstant(other.time)) <= 60;
    return expected.length === found.length && expected.every((one, at) => isSame(one, found[at]))
      ? undefined
      : `${id}: high and low waters of ${times}: ${JSON.stringify(expected)}, of the parts ${JSON.stringify(found)}`;
  },
};

const tideOf = async (asked: Asked, id: string, from: number, to: number): Promise<TidePrediction> =>
  tidePrediction.parse(
    await get(asked, `/tides/${id}?from=${formatInstant(from)}&to=${formatInstant(to)}&step=60`),
  );

const mapOf = async (asked: Asked, query: string): Promise<TidesNow> =>
  tidesNow.parse(await get(asked, `/tides/now?${query}`));

async function get(asked: Asked, target: string): Promise<unknown> {
  return JSON.parse(await answered(asked, { method: "GET", target, headers: {} }));
}

async function pointsOf(asked: Asked, body: Body): Promise<PointResult[]> {
  return pointResponse.parse(JSON.parse(await post(asked, "/MetOcean", body))).result.results;
}

function post(asked: Asked, target: string, body: Body, accept = "*/*"): Promise<string> {
  const headers = { "content-type": "application/json", accept };
  return answered(asked, { method: "POST", target, headers, body: Buffer.from(JSON.stringify(body)) });
}

/** Waits where the service says that it is busy. */
async function answered({ client, key }: Asked, request: FuzzRequest): Promise<string> {
  const headers = { ...request.headers, "x-api-key": key };
  for (;;) {
    const reply = await client.send({ ...request, headers });
    if (reply.status === 200 || reply.status === 202) return reply.body.toString();
    if (reply.status !== 503 && reply.status !== 429) throw new Error(`${reply.status}: ${reply.body}`);
  }
}

function difference(expected: readonly PointResult[], found: readonly PointResult[]): string | undefined {
  if (expected.length !== found.length) return `${found.length} results for ${expected.length} points`;
  const index = expected.findIndex((result, at) => !isDeepStrictEqual(result, found[at]));
  return index < 0
    ? undefined
    : `result ${index} differs: ${JSON.stringify(expected[index])}, ${JSON.stringify(found[index])}`;
}

import { seeded } from "#test/seeded.ts";

/** A request whose answer is known. */
export interface KnownRequest {
  method: "GET" | "POST";
  path: string;
  body?: string;
  /** What must not differ of its answer. */
  expected: string;
}

const VARIABLES = ["wind", "gust", "temp", "rain", "cloud", "pressure"] as const;
const HOUR_MS = 3_600_000;
/** Steps of the forecast that the cluster has. */
const LONGEST_H = 110;

/**
 * Points, boxes and storms, with the answers of a single machine.
 *
 * @param now Weather clock, ISO.
 * @throws Error where the single machine does not answer: nothing can be compared then.
 */
export async function knownRequests(
  single: string,
  key: string,
  now: string,
  seed: number,
  count = 60,
): Promise<KnownRequest[]> {
  const random = seeded(seed);
  const known: KnownRequest[] = [];
  for (let index = 0; index < count; index++) {
    const request = randomRequest(random, now);
    const reply = await ask(single, key, request);
    if (reply.status !== 200) throw new Error(`The single machine answers ${reply.status}: ${reply.text}`);
    known.push({ ...request, expected: constantPart(reply.text) });
  }
  return known;
}

function randomRequest(random: () => number, now: string): Omit<KnownRequest, "expected"> {
  const below = (limit: number) => Math.floor(limit * random());
  const timestamp = () =>
    new Date(Date.parse(now) + below(LONGEST_H) * HOUR_MS).toISOString().replace(".000", "");
  const variable = VARIABLES[below(VARIABLES.length)]!;
  const kind = random();
  if (kind < 0.1) return { method: "GET", path: "/storms?provider=jtwc" };
  if (kind < 0.3) {
    const [south, west] = [-60 + below(100), -180 + below(330)];
    const bounding_boxes = [
      {
        latitude: [south, south + 5 + below(20)],
        longitude: [west, west + 5 + below(25)],
        timestamp: timestamp(),
      },
    ];
    return {
      method: "POST",
      path: "/2DMetOcean",
      body: JSON.stringify({ bounding_boxes, variable: "wind" }),
    };
  }
  const points = Array.from({ length: 1 + below(random() < 0.2 ? 400 : 20) }, () => ({
    latitude: -70 + below(1400) / 10,
    longitude: -180 + below(3600) / 10,
    timestamp: timestamp(),
  }));
  const variables = [...new Set([variable, "wind"])];
  return { method: "POST", path: "/MetOcean", body: JSON.stringify({ points, variables }) };
}

export interface Answer {
  status: number;
  text: string;
  headers: Headers;
}

/**
 * @param onHead Called before the body is read.
 * @throws Error where there is no answer, or only a part.
 */
export async function ask(
  origin: string,
  key: string,
  { method, path, body }: Pick<KnownRequest, "method" | "path" | "body">,
  signal?: AbortSignal,
  onHead?: (headers: Headers) => void,
): Promise<Answer> {
  const reply = await fetch(origin + path, {
    method,
    headers: { "x-api-key": key, ...(body !== undefined && { "content-type": "application/json" }) },
    ...(body !== undefined && { body }),
    ...(signal && { signal }),
  });
  onHead?.(reply.headers);
  return { status: reply.status, text: await reply.text(), headers: reply.headers };
}

/** An answer without what differs between any two: ids, and how long it took. */
export function constantPart(text: string): string {
  const value = JSON.parse(text) as Record<string, unknown>;
  return JSON.stringify(value, (name, each) =>
    name === "task_id" || name === "execution_time" ? undefined : each,
  );
}

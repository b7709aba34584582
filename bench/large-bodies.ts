import { bodyLimits } from "#lib/contract/bodies.ts";
import { formatInstant } from "#lib/time.ts";
import { MEASURED_KEY } from "./measured-server.ts";

/** Bodies of at most so many bytes, each costly in another way. */
export function* largeBodies(limit: number, now: number): Generator<[string, Buffer]> {
  const time = formatInstant(now);
  const point = (at: number) =>
    `{"latitude":${(at % 900) / 10},"longitude":${((at * 7) % 1800) / 10},"timestamp":"${time}"}`;
  const count = Math.min(limit === bodyLimits.async ? 200_000 : 10_000, Math.floor(limit / 70));
  const points = (length: number) => Array.from({ length }, (_, at) => point(at)).join(",");
  const tail = '],"variables":["wind"]';
  const filled = (before: string, unit: string, after: string) =>
    Buffer.from(
      before + unit.repeat(Math.floor((limit - before.length - after.length) / unit.length)) + after,
    );
  const one = `{"points":[${point(0)}${tail}`;
  yield ["many points", Buffer.from(`{"points":[${points(count)}${tail}}`)];
  yield ["points of strings", filled('{"points":["', 'x","', 'x"],"variables":["wind"]}')];
  yield ["empty objects beside a point", filled(`${one},"x":[{}`, ",{}", "]}")];
  yield ["numbers beside a point", filled(`${one},"x":[0`, ",0", "]}")];
  yield [
    "deep nesting",
    Buffer.from(`${one},"x":${"[".repeat(limit / 2 - 100)}${"]".repeat(limit / 2 - 100)}}`),
  ];
  yield ["one string", filled(`${one},"x":"`, "x", '"}')];
  yield ["one string of escapes", filled(`${one},"x":"`, "\\u00e9", '"}')];
  yield ["one string, not closed", filled(`${one},"x":"`, "x", "")];
  yield ["spaces", filled(one, " ", "}")];
  yield ["one number", filled(`${one},"x":`, "1", "}")];
}

/** Sends a body, and deletes the task where there is one. @returns The status of the reply. */
export async function sendBody(url: string, body: Buffer, encoding?: string): Promise<number> {
  const headers = {
    "content-type": "application/json",
    "x-api-key": MEASURED_KEY,
    ...(encoding && { "content-encoding": encoding }),
  };
  const reply = await fetch(url, { method: "POST", headers, body: body as BodyInit });
  const text = await reply.text();
  if (reply.status === 202) {
    const id = (JSON.parse(text) as { task_id: string }).task_id;
    await fetch(`${new URL(url).origin}/task/${id}`, { method: "DELETE", headers });
  }
  return reply.status;
}

import { expect, it } from "vitest";
import { seeded } from "#test/seeded.ts";
import { parseInParts } from "./parse-in-parts.ts";

/** What it reads, put together again; undefined where it leaves the text to others. */
async function read(text: string | Buffer): Promise<unknown> {
  const points: unknown[] = [];
  const rest = await parseInParts(Buffer.from(text), "points", (entries) => {
    points.push(...entries);
    return true;
  });
  return rest && { ...rest, points };
}

const entry = (index: number) => ({
  latitude: index / 7,
  text: `],[{"\\${index}`,
  list: [[index], { é: "ß" }],
});
const many = Array.from({ length: 9_000 }, (_, index) => entry(index));

it("reads an object with a long list as JSON.parse does, never more than a part of the list at a time", async () => {
  for (const space of [undefined, 1, "\t\r\n"]) {
    const body = { before: { points: [1, 2] }, points: many, after: ["}", { points: [] }], task_name: "ü" };
    for (const mark of ["", "\ufeff"])
      expect(await read(mark + JSON.stringify(body, null, space))).toEqual(body);
  }
  const sizes: number[] = [];
  await parseInParts(Buffer.from(JSON.stringify({ points: many })), "points", ({ length }) => {
    sizes.push(length);
    return true;
  });
  expect(sizes).toEqual([4096, 4096, 808]);
});

it("leaves to others what is not an object with one such list", async () => {
  const list = JSON.stringify(many);
  for (const text of [
    "",
    "[]",
    `{"points":[]}`,
    `{"points":{"length":3}}`,
    `{"Points":${list}}`,
    `{"inner":{"points":${list}}}`,
    `{"points":${list},"points":[1]}`,
    `{"points":${list},"\\u0070oints":[1]}`,
    `{"points":${list.slice(0, -1)},]}`,
    `{"points":${list.slice(0, -1)}}`,
    `{"points":${list}`,
    `{"points":${list}}}`,
    `{"points":${list.replace("[{", "[,{")}}`,
    `{"points" ${list}}`,
    `"points":${list}`,
  ])
    expect(await read(text), text.slice(0, 40)).toBeUndefined();
  expect(
    await read(Buffer.from([...Buffer.from(`{"points":[1,2],"x":"`), 0xff, 0x22, 0x7d])),
  ).toBeUndefined();
});

it("never reads a damaged text as anything but what JSON.parse reads", async () => {
  const random = seeded(29);
  const text = Buffer.from(JSON.stringify({ x: [1, 'a\\"'], points: many.slice(0, 40), y: { z: null } }));
  const bytes = Buffer.from('{}[],:"\\ 1a');
  let parsed = 0;
  for (let round = 0; round < 4_000; round++) {
    const damaged = Buffer.from(text);
    damaged[Math.floor(random() * damaged.length)] = bytes[Math.floor(random() * bytes.length)]!;
    const found = await read(damaged);
    if (found === undefined) continue;
    parsed++;
    expect(found).toEqual(JSON.parse(damaged.toString()));
  }
  expect(parsed).toBeGreaterThan(100);
});

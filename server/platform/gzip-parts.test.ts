import { execFileSync } from "node:child_process";
import { crc32, gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { combinedCrc32, type DeflatedPart, deflatedPart, gzipOf } from "./gzip-parts.ts";

const noise = (length: number) =>
  Buffer.from(Array.from({ length }, (_, i) => `${((i * 2_654_435_761) >>> 0) % 3600},`).join("")).subarray(
    0,
    length,
  );

async function streamOf(parts: (Uint8Array | DeflatedPart)[]): Promise<Buffer> {
  const pieces: Uint8Array[] = [];
  for await (const piece of gzipOf(parts)) pieces.push(piece);
  return Buffer.concat(pieces);
}

it.each([0, 1, 2, 255, 65_537])(
  "the combined checksum of two texts is that of the whole, for a second text of %i bytes",
  (length) => {
    const [a, b] = [noise(1234), noise(length)];
    expect(combinedCrc32(crc32(a), crc32(b), length)).toBe(crc32(Buffer.concat([a, b])));
  },
);

it("parts and the pieces between them form one gzip stream of one member, for every reader", async () => {
  const pieces = [noise(200_000), Buffer.from("null,".repeat(40_000)), noise(3), Buffer.alloc(0)];
  const part = await deflatedPart(pieces);
  expect(part.length).toBe(Buffer.concat(pieces).length);
  const packed = await streamOf([Buffer.from("head"), part, Buffer.from(","), part, Buffer.from("tail")]);
  const text = Buffer.concat([
    Buffer.from("head"),
    ...pieces,
    Buffer.from(","),
    ...pieces,
    Buffer.from("tail"),
  ]);
  expect(gunzipSync(packed).equals(text)).toBe(true);
  // This reader accepts one member only and rejects bytes after it.
  const web = new Response(
    new Response(new Uint8Array(packed)).body!.pipeThrough(new DecompressionStream("gzip")),
  );
  expect(Buffer.from(await web.arrayBuffer()).equals(text)).toBe(true);
  expect(execFileSync("gzip", ["-dc"], { input: packed, maxBuffer: 2 ** 24 }).equals(text)).toBe(true);
});

it("a stream that is stopped throws the reason, even in the middle of a part", async () => {
  const part = await deflatedPart([Buffer.from("one"), Buffer.from("two")]);
  const stream = gzipOf([part]);
  await stream.next();
  await stream.next();
  await expect(stream.throw(new Error("The client went away"))).rejects.toThrow("The client went away");
});

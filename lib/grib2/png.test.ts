import { crc32, deflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { seeded } from "../../test/seeded.ts";
import { unpackPng } from "./png.ts";

const WIDTH = 37;
const HEIGHT = 10;
const FILTERS = [0, 1, 2, 3, 4];

describe.each([
  [1, 0, 1],
  [2, 0, 2],
  [4, 0, 4],
  [8, 0, 8],
  [16, 0, 16],
  [24, 2, 8],
  [32, 6, 8],
])("%i bits (colour type %i of depth %i)", (bits, colour, depth) => {
  const random = seeded(bits);
  const numbers = Array.from({ length: WIDTH * HEIGHT }, () => Math.floor(random() * 2 ** bits));

  it.each(FILTERS)("has the numbers that were coded, by all filters from %i on", (first) => {
    const scaling = { reference: -3, binaryFactor: 0.5, decimalFactor: 10, bits };
    const filters = [...FILTERS.slice(first), ...FILTERS.slice(0, first)];
    expect(unpackPng(picture(numbers, bits, colour, depth, filters), scaling, numbers.length)).toEqual(
      Float32Array.from(numbers, (number) => (-3 + number * 0.5) * 10),
    );
  });
});

it("a filter that PNG does not have is damage", () => {
  const scaling = { reference: 0, binaryFactor: 1, decimalFactor: 1, bits: 8 };
  const numbers = new Array<number>(WIDTH * HEIGHT).fill(7);
  const bytes = picture(numbers, 8, 0, 8, [5]);
  expect(() => unpackPng(bytes, scaling, numbers.length)).toThrow("damaged: its PNG picture cannot be read");
});

/** Codes numbers as the PNG specification says. @param filters Filters of the rows, in turn. */
function picture(
  numbers: number[],
  bits: number,
  colour: number,
  depth: number,
  filters: number[],
): Uint8Array {
  const rowBytes = Math.ceil((WIDTH * bits) / 8);
  const pixel = Math.ceil(bits / 8);
  const rows = Array.from({ length: HEIGHT }, (_, row) => {
    const digits = numbers
      .slice(row * WIDTH, (row + 1) * WIDTH)
      .map((number) => number.toString(2).padStart(bits, "0"))
      .join("")
      .padEnd(rowBytes * 8, "0");
    return digits.match(/.{8}/g)!.map((octet) => Number.parseInt(octet, 2));
  });
  const filtered = rows.flatMap((octets, row) => {
    const filter = filters[row % filters.length]!;
    const coded = octets.map((octet, at) => {
      const left = octets[at - pixel] ?? 0;
      const above = rows[row - 1]?.[at] ?? 0;
      const corner = rows[row - 1]?.[at - pixel] ?? 0;
      return octet - [0, left, above, Math.floor((left + above) / 2), paeth(left, above, corner), 0][filter]!;
    });
    return [filter, ...coded];
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(WIDTH, 0);
  header.writeUInt32BE(HEIGHT, 4);
  header.set([depth, colour], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  const data = deflateSync(Uint8Array.from(filtered));
  return Buffer.concat([
    signature,
    chunk("IHDR", header),
    chunk("IDAT", data),
    chunk("IEND", Buffer.alloc(0)),
  ]);
}

function paeth(left: number, above: number, corner: number): number {
  const estimate = left + above - corner;
  const distances = [left, above, corner].map((octet) => Math.abs(estimate - octet));
  return [left, above, corner][distances.indexOf(Math.min(...distances))]!;
}

function chunk(type: string, data: Uint8Array): Buffer {
  const body = Buffer.concat([Buffer.from(type, "latin1"), data]);
  const ends = Buffer.alloc(8);
  ends.writeUInt32BE(data.length, 0);
  ends.writeUInt32BE(crc32(body), 4);
  return Buffer.concat([ends.subarray(0, 4), body, ends.subarray(4)]);
}

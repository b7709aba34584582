import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { bufferSource } from "./byte-source.ts";
import { decodeGrib2 } from "./decode.ts";
import { GribError } from "./octets.ts";
import { scanGrib2 } from "./scan.ts";

const bytesOf = (name: string) => readFileSync(new URL(`./fixtures/${name}`, import.meta.url));
const scan = (...parts: Uint8Array[]) => scanGrib2(bufferSource("file.grib2", Buffer.concat(parts)));

const rejectedBytes = bytesOf("refused.grib2");
const { fields: all } = scanGrib2(bufferSource("templates.grib2", bytesOf("templates.grib2")));
/** Two valid messages. */
const [first, second] = [0, 8].map((index) => {
  const { offset, length } = all[index]!;
  return bytesOf("templates.grib2").subarray(offset, offset + length);
}) as [Buffer, Buffer];

describe("rejects unsupported messages by number and reason, and reads the rest", () => {
  const { fields, rejected, messages } = scan(rejectedBytes);

  it.each([
    [1, /also turned about its pole/],
    [2, /make no cone/],
    [3, /Gaussian/],
    [4, /not on the globe/],
    [5, /reduced/],
    [6, /spherical harmonics/],
    [7, /GRIB edition 1/],
    [8, /data template 5\.50/],
    [9, /product template 4\.5/],
    [10, /lacks the bitmap/],
  ])("message %i", (message, reason) => {
    expect(rejected[message - 1]).toMatchObject({ file: "file.grib2", message });
    expect(rejected[message - 1]!.reason).toMatch(reason);
  });

  it("and no others", () => {
    expect(messages).toBe(11);
    expect(rejected).toHaveLength(10);
    expect(fields.map((field) => field.message)).toEqual([11]);
  });
});

describe("resynchronises after damage", () => {
  it("when a message is cut and another follows", () => {
    const { fields, rejected } = scan(first.subarray(0, 150), second, first);
    expect(rejected).toEqual([
      { file: "file.grib2", message: 1, reason: expect.stringMatching(/damaged|truncated/) },
    ]);
    expect(fields.map((field) => field.message)).toEqual([2, 3]);
  });

  it("when a length is wrong", () => {
    const wrong = Buffer.from(first);
    wrong.writeUInt32BE(wrong.length + 50, 12);
    const { fields, rejected } = scan(wrong, second, first);
    expect(rejected.map((rejection) => rejection.message)).toEqual([1]);
    expect(fields.map((field) => field.message)).toEqual([2, 3]);
  });

  it("when the letters GRIB are overwritten, and reports the gap", () => {
    const wrong = Buffer.from(second);
    wrong[0] = 0;
    const { fields, rejected } = scan(first, wrong, first);
    expect(rejected).toEqual([{ file: "file.grib2", message: 1, reason: expect.stringMatching(/not GRIB/) }]);
    expect(fields).toHaveLength(2);
  });

  it.each([1, 3, 7, 20, 60, 180])("when the file ends %i octets into its last message", (length) => {
    const { fields, rejected } = scan(first, second.subarray(0, length));
    expect(fields).toHaveLength(1);
    expect(rejected.at(-1)!.reason).toMatch(/truncated/);
  });
});

it("skips the heading of a bulletin", () => {
  const { fields, rejected } = scan(
    Buffer.from("HTSZ98 KWBC 290000\r\r\n"),
    first,
    Buffer.from("\r\r\n"),
    second,
  );
  expect(rejected).toEqual([]);
  expect(fields).toHaveLength(2);
});

it("names file, message and reason when values are damaged", () => {
  const source = bufferSource("file.grib2", first);
  const field = scanGrib2(source).fields[0]!;
  const decode = () => decodeGrib2(source, { ...field, data: { ...field.data, length: 3 } });
  expect(decode).toThrow(GribError);
  expect(decode).toThrow(/^file\.grib2, GRIB message 1: damaged: /);
});

describe("rejects sizes before it allocates memory for them", () => {
  it("of grids", () => {
    const huge = Buffer.from(first);
    const grid = huge.indexOf(Buffer.from([0, 0, 0, 72, 3]));
    for (const [octet, value] of [
      [7, 0xfffe0001],
      [31, 0xffff],
      [35, 0xffff],
    ] as const) {
      huge.writeUInt32BE(value, grid + octet - 1);
    }
    expect(scan(huge).rejected[0]!.reason).toMatch(/65535 × 65535/);
  });

  it("of a file that consists only of heads", () => {
    const head = Buffer.from("GRIB\0\0\0\x02\0\0\0\0\0\0\0\x147777", "latin1");
    const { rejected, messages } = scan(Buffer.alloc(head.length * 150_000, head));
    expect(messages).toBeLessThan(150_000);
    expect(rejected.at(-1)!.reason).toMatch(/rest of the file is not read/);
  });
});

import { readFileSync } from "node:fs";
import { gunzipSync, inflateSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { seeded } from "../../../test/seeded.ts";
import { bufferSource } from "../byte-source.ts";
import { decodeInScanOrder } from "../decode.ts";
import { UnreadableError } from "../octets.ts";
import { scanGrib2 } from "../scan.ts";
import { decodeCodeStream } from "./decode.ts";

/** An image of fixtures/jpeg2000.json, coded and decoded by OpenJPEG in make_jpeg2000.py. */
interface Case {
  name: string;
  /** Whether it is coded by the 5/3 filter. */
  isExact: boolean;
  /** Base64. */
  stream: string;
  /** Int32, little-endian, deflated, base64. */
  samples: string;
}

const fixtures = new URL("../fixtures/", import.meta.url);
const all: Case[] = JSON.parse(readFileSync(new URL("jpeg2000.json", fixtures), "utf8"));
/** Error texts by name, for images that no GRIB encoder writes. */
const refused = new Map([
  ["tiles", "with tiles or an offset is not read"],
  ["an offset", "with tiles or an offset is not read"],
  ["tile parts", "with tile parts is not read"],
  ["layers", "with 2 layers is not read"],
  ["packets in the order of places", "with packets in the order of places is not read"],
  ["code blocks of a style", "with code blocks of style 1 is not read"],
  ["marked packets", "with marked packets is not read"],
]);
const cases = all.filter(({ name }) => !refused.has(name));

const bytesOf = ({ stream }: Case) => Buffer.from(stream, "base64");

function samplesOf({ samples }: Case): Int32Array {
  return new Int32Array(new Uint8Array(inflateSync(Buffer.from(samples, "base64"))).buffer);
}

describe("reads what encoders of GRIB write, as OpenJPEG does", () => {
  it.each(cases)("$name", (one) => {
    const expected = samplesOf(one);
    const samples = decodeCodeStream(bytesOf(one), expected.length);
    // OpenJPEG's 9/7 filter has a factor of 1.625732 where the standard has 1.625786.
    const off = samples.reduce((most, sample, i) => Math.max(most, Math.abs(sample - expected[i]!)), 0);
    expect(off).toBeLessThanOrEqual(one.isExact ? 0 : 1);
  });
});

it.each([
  ["before", true],
  ["after", false],
])("a quantisation of the component %s that of all components has precedence", (_, isFirst) => {
  const one = cases[0]!;
  const bytes = bytesOf(one);
  const expected = samplesOf(one);
  const at = bytes.indexOf(Buffer.from("ff5c", "hex"));
  const end = at + 2 + bytes.readUInt16BE(at + 2);
  const ofAll = bytes.subarray(at, end);
  const ofComponent = Buffer.concat([Buffer.from([0xff, 0x5d, 0, end - at - 1, 0]), ofAll.subarray(4)]);
  const wrong = Buffer.from(ofAll);
  wrong[4]! ^= 0x20;
  const both = isFirst ? [ofComponent, wrong] : [wrong, ofComponent];
  const stream = Buffer.concat([bytes.subarray(0, at), ...both, bytes.subarray(end)]);
  expect(decodeCodeStream(stream, expected.length)).toEqual(decodeCodeStream(bytes, expected.length));
});

describe("reads the sea points of a globe of 0.25° as one row, as NCEP packs waves", () => {
  const file = gunzipSync(readFileSync(new URL("sea-rows.grib2.gz", fixtures)));
  const source = bufferSource("sea-rows.grib2", file);
  const { fields } = scanGrib2(source);
  it.each([
    [0, 546_583],
    [1, 687_156],
  ])("message %i: %i × 1", (index, count) => {
    const expected = new Float32Array(721 * 1440).fill(Number.NaN);
    for (let node = 0, sea = 0; node < expected.length && sea < count; node++) {
      const [row, column] = [Math.floor(node / 1440), node % 1440];
      if ((Math.floor(row / 60) + Math.floor(column / 90)) % 3 === 0) continue;
      expected[node] = 2 + Math.floor(Math.abs(((3 * row + column) % 2048) - 1024) / 128) / 10;
      sea++;
    }
    expect(Buffer.from(file).includes(sizeOfImage(count))).toBe(true);
    const values = decodeInScanOrder(source, fields[index]!);
    const wrong = values.findIndex(
      (value, i) => !(Math.abs(value - expected[i]!) < 1e-5 || Number.isNaN(value + expected[i]!)),
    );
    expect(wrong).toBe(-1);
    expect(values.filter((value) => !Number.isNaN(value)).length).toBe(count);
  });
});

/** SOC, SIZ with its length and capabilities, width and height. */
function sizeOfImage(width: number): Buffer {
  const bytes = Buffer.from("ff4fff5100290000", "hex");
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(1, 4);
  return Buffer.concat([bytes, size]);
}

describe("rejects damaged data", () => {
  it.each(cases)("$name, cut off anywhere", (one) => {
    const bytes = bytesOf(one);
    const { length: count } = samplesOf(one);
    for (let length = 0; length < bytes.length; length += 1 + Math.floor(length / 40))
      expect(() => decodeCodeStream(bytes.subarray(0, length), count)).toThrow(UnreadableError);
    expect(() => decodeCodeStream(bytes.subarray(0, -1), count)).toThrow(UnreadableError);
  });

  it("or gives the expected number of samples", () => {
    const random = seeded(5);
    for (const one of cases) {
      const { length: count } = samplesOf(one);
      for (let time = 0; time < 60; time++) {
        const bytes = bytesOf(one);
        // Every second round damages the headers.
        const most = time % 2 === 0 ? bytes.length : 160;
        bytes[Math.floor(random() * Math.min(most, bytes.length))]! ^= 1 << Math.floor(random() * 8);
        try {
          expect(decodeCodeStream(bytes, count)).toHaveLength(count);
        } catch (error) {
          expect(error).toBeInstanceOf(UnreadableError);
        }
      }
    }
  });

  it.each([...refused])("and %s, which no GRIB encoder writes, with a text", (name, words) => {
    const one = all.find((each) => each.name === name)!;
    expect(() => decodeCodeStream(bytesOf(one), samplesOf(one).length)).toThrow(words);
  });

  it("and a region of interest, another number of values and a picture without layers", () => {
    const one = cases[0]!;
    const bytes = bytesOf(one);
    const at = bytes.indexOf(Buffer.from("ff64", "hex"));
    bytes.writeUInt16BE(0xff5e, at);
    const { length: count } = samplesOf(one);
    expect(() => decodeCodeStream(bytes, count)).toThrow("with a region of interest is not read");
    expect(() => decodeCodeStream(bytesOf(one), count + 1)).toThrow("does not hold");
    const withoutLayers = bytesOf(one);
    withoutLayers.writeUInt16BE(0, withoutLayers.indexOf(Buffer.from("ff52", "hex")) + 6);
    expect(() => decodeCodeStream(withoutLayers, count)).toThrow("has no layers");
  });

  it("and a kilobyte that asks for 16 million rows", () => {
    // SOC, SIZ (1 × 16,777,216, 8 bits), COD (24 levels, code blocks of 4 × 1024 samples), QCD, one tile part, EOC.
    const packets = Array.from({ length: 25 }, (_, level) => Math.ceil(2 ** (24 - level) / 32_768));
    const bytes = packets.reduce((sum, count) => sum + count);
    const hex = [
      "ff4f ff51 0029 0000 00000001 01000000 00000000 00000000 00000001 01000000 00000000 00000000 0001 07 01 01",
      "ff52 000c 00 00 0001 00 18 00 08 00 00",
      `ff5c 0095 42 ${"5000".repeat(73)}`,
      `ff90 000a 0000 ${(14 + bytes).toString(16).padStart(8, "0")} 00 01 ff93 ${"00".repeat(bytes)} ffd9`,
    ];
    const stream = Buffer.from(hex.join("").replaceAll(" ", ""), "hex");
    expect(() => decodeCodeStream(stream, 2 ** 24)).toThrow("with 16777216 rows is not read");
  });

  it("and a hundred bytes that ask for a hundred thousand precincts", () => {
    // SOC, SIZ (20 × 20,000, 8 bits), COD (one level, precincts of 2 × 2 samples), QCD, one tile part, EOC.
    const hex = [
      "ff4f ff51 0029 0000 00000014 00004e20 00000000 00000000 00000014 00004e20 00000000 00000000 0001 07 01 01",
      "ff52 000e 01 00 0001 00 01 04 04 00 01 11 11",
      "ff5c 0007 40 50 50 50 50",
      "ff90 000a 0000 00000018 00 01 ff93 00000000000000000000 ffd9",
    ];
    const bytes = Buffer.from(hex.join("").replaceAll(" ", ""), "hex");
    expect(() => decodeCodeStream(bytes, 400_000)).toThrow("in so many code blocks is not read");
  });
});

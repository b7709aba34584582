import { expect, it } from "vitest";
import { crc32c } from "./shard.ts";

/** The definition, bit by bit. */
function slow(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0x82f63b78 : crc >>> 1;
  }
  return ~crc >>> 0;
}

// RFC 3720, appendix B.4.
it.each([
  { bytes: new Uint8Array(32), crc: 0x8a9136aa, of: "32 zeros" },
  { bytes: new Uint8Array(32).fill(0xff), crc: 0x62a8ab43, of: "32 ones" },
  { bytes: Uint8Array.from({ length: 32 }, (_, i) => i), crc: 0x46dd794e, of: "32 ascending bytes" },
  { bytes: new TextEncoder().encode("123456789"), crc: 0xe3069283, of: "the check string" },
])("agrees with RFC 3720 on $of", ({ bytes, crc }) => {
  expect(crc32c(bytes)).toBe(crc);
});

it("is the same at every length and offset", () => {
  const bytes = Uint8Array.from({ length: 100 }, (_, i) => (i * 167 + 13) & 255);
  for (let start = 0; start < 20; start++)
    for (let end = start; end <= 100; end += 7)
      expect(crc32c(bytes, start, end)).toBe(slow(bytes.subarray(start, end)));
});

import { expect, it } from "vitest";
import { crc32c } from "./shard.ts";

// RFC 3720, appendix B.4.
it.each([
  { bytes: new Uint8Array(32), crc: 0x8a9136aa, of: "32 zeros" },
  { bytes: new Uint8Array(32).fill(0xff), crc: 0x62a8ab43, of: "32 ones" },
  { bytes: Uint8Array.from({ length: 32 }, (_, i) => i), crc: 0x46dd794e, of: "32 ascending bytes" },
  { bytes: new TextEncoder().encode("123456789"), crc: 0xe3069283, of: "the check string" },
])("agrees with RFC 3720 on $of", ({ bytes, crc }) => {
  expect(crc32c(bytes)).toBe(crc);
});

import type { Precinct, Resolution } from "./bands.ts";
import type { CodeBlock } from "./code-block.ts";
import { BYPASS, FIRST_BYPASS, TERMINATE_ALL } from "./code-block.ts";
import { type Coding, damaged, type Tile } from "./code-stream.ts";

const START_OF_PACKET = 0x91;
const END_OF_HEADER = 0x92;
const MAX_LENGTH_BITS = 32;
/** Exponents have 5 bits, guard bits 3. */
const MAX_ZERO_PLANES = 38;

/** Reads all packets of a tile into its code blocks (T.800 B.9 to B.12). */
export function readPackets({ coding, parts }: Tile, resolutions: readonly Resolution[]): void {
  const bytes = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
  const header = new HeaderBits(bytes);
  for (const [precinct, layer] of packetOrder(coding, resolutions))
    readPacket(header, coding, precinct, layer);
  if (header.at !== bytes.length) throw damaged("has more bytes than packets");
}

/** With one component, the five orders differ in layers, resolutions and places only (T.800 B.12.1). */
function* packetOrder(
  { progression, layers }: Coding,
  resolutions: readonly Resolution[],
): Generator<[precinct: Precinct, layer: number]> {
  const all = resolutions.flatMap(({ precincts }) => precincts);
  if (progression === 0) {
    for (let layer = 0; layer < layers; layer++) for (const precinct of all) yield [precinct, layer];
  } else if (progression === 1) {
    for (const { precincts } of resolutions)
      for (let layer = 0; layer < layers; layer++) for (const precinct of precincts) yield [precinct, layer];
  } else if (progression <= 4) {
    // By resolution they are sorted already; otherwise by place, at one place the coarsest first.
    if (progression > 2) all.sort((one, other) => one.y - other.y || one.x - other.x);
    for (const precinct of all) for (let layer = 0; layer < layers; layer++) yield [precinct, layer];
  } else throw damaged("has its packets in an unknown order");
}

function readPacket(header: HeaderBits, coding: Coding, { grids }: Precinct, layer: number): void {
  if (coding.hasPacketMarkers && header.skipMarker(START_OF_PACKET)) header.at += 4;
  const bodies: { block: CodeBlock; lengths: number[] }[] = [];
  const nextBit = () => header.bit();
  if (nextBit() === 1) {
    for (const { columns, blocks, inclusion, zeroPlanes } of grids) {
      for (let index = 0; index < blocks.length; index++) {
        const block = blocks[index]!;
        const column = index % columns;
        const row = Math.floor(index / columns);
        if (block.passes > 0) {
          if (nextBit() === 0) continue;
        } else {
          if (!inclusion.isBelow(layer + 1, column, row, nextBit)) continue;
          while (!zeroPlanes.isBelow(block.zeroPlanes + 1, column, row, nextBit))
            if (++block.zeroPlanes > MAX_ZERO_PLANES) throw damaged("has a malformed packet");
        }
        bodies.push({ block, lengths: readLengths(header, coding.style, block) });
      }
    }
  }
  header.align();
  if (coding.hasHeaderEnds) header.skipMarker(END_OF_HEADER);
  for (const { block, lengths } of bodies) {
    const first = block.segments.length - lengths.length;
    for (const [index, length] of lengths.entries())
      block.segments[first + index]!.bytes.push(header.take(length));
  }
}

/** Adds the passes of a block in a packet to its segments. @returns Bytes of the last segments. */
function readLengths(header: HeaderBits, style: number, block: CodeBlock): number[] {
  let passes = readPassCount(header);
  while (header.bit() === 1) block.lengthBits++;
  const lengths: number[] = [];
  while (passes > 0) {
    const [done, size] = placeInSegment(style, block.passes);
    if (done === 0) block.segments.push({ passes: 0, bytes: [] });
    const segment = block.segments.at(-1)!;
    const added = Math.min(passes, size - done);
    const bits = block.lengthBits + (31 - Math.clz32(added));
    if (bits > MAX_LENGTH_BITS) throw damaged("has a malformed packet");
    lengths.push(header.number(bits));
    segment.passes += added;
    block.passes += added;
    passes -= added;
  }
  return lengths;
}

/** Passes of its segment before a pass, and all of them. With bypass two raw passes and one coded one alternate. */
function placeInSegment(style: number, pass: number): [done: number, size: number] {
  if ((style & TERMINATE_ALL) !== 0) return [0, 1];
  if ((style & BYPASS) === 0) return [pass, Number.POSITIVE_INFINITY];
  if (pass < FIRST_BYPASS) return [pass, FIRST_BYPASS];
  const place = (pass - FIRST_BYPASS) % 3;
  return place === 2 ? [0, 1] : [place, 2];
}

/** T.800 table B.4. */
function readPassCount(header: HeaderBits): number {
  if (header.bit() === 0) return 1;
  if (header.bit() === 0) return 2;
  const few = header.number(2);
  if (few < 3) return 3 + few;
  const more = header.number(5);
  return more < 31 ? 6 + more : 37 + header.number(7);
}

/** Bits of packet headers: a byte after 0xff holds 7. Between headers it stands at a whole byte. */
class HeaderBits {
  at = 0;
  readonly #bytes: Uint8Array;
  #byte = 0;
  #left = 0;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  bit(): number {
    if (this.#left === 0) {
      this.#left = this.#byte === 0xff ? 7 : 8;
      if (this.at >= this.#bytes.length) throw damaged("is cut off");
      this.#byte = this.#bytes[this.at++]!;
    }
    this.#left--;
    return (this.#byte >> this.#left) & 1;
  }

  number(bits: number): number {
    let value = 0;
    for (let i = 0; i < bits; i++) value = 2 * value + this.bit();
    return value;
  }

  align(): void {
    // After a last byte of 0xff there is one without bits.
    if (this.#byte === 0xff) this.at++;
    [this.#byte, this.#left] = [0, 0];
  }

  skipMarker(marker: number): boolean {
    if (this.#bytes[this.at] !== 0xff || this.#bytes[this.at + 1] !== marker) return false;
    this.at += 2;
    return true;
  }

  take(length: number): Uint8Array {
    if (this.at + length > this.#bytes.length) throw damaged("is cut off");
    this.at += length;
    return this.#bytes.subarray(this.at - length, this.at);
  }
}

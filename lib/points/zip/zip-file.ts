const utf8 = new TextEncoder();

/** A ZIP archive of one file, which is not compressed. */
export function zipFile(name: string, content: string): Uint8Array<ArrayBuffer> {
  const [file, bytes] = [utf8.encode(name), utf8.encode(content)];
  // Version 2.0; names in UTF-8; stored; 1 January 1980, the first day that the form has.
  const common = [20, 0x800, 0, 0, 0x21].flatMap((value) => [value, value >> 8]);
  const sizes = [crc32(bytes), bytes.length, bytes.length].flatMap(fourBytes);
  const local = [0x50, 0x4b, 3, 4, ...common, ...sizes, file.length, file.length >> 8, 0, 0];
  const entry = [0x50, 0x4b, 1, 2, 20, 0, ...local.slice(4), ...Array<number>(14).fill(0)];
  const start = local.length + file.length + bytes.length;
  const end = [
    ...[0x50, 0x4b, 5, 6, 0, 0, 0, 0, 1, 0, 1, 0],
    ...fourBytes(entry.length + file.length),
    ...fourBytes(start),
    ...[0, 0],
  ];
  const whole = new Uint8Array(start + entry.length + file.length + end.length);
  let at = 0;
  for (const part of [local, file, bytes, entry, file, end]) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

function fourBytes(value: number): number[] {
  return [value, value >>> 8, value >>> 16, value >>> 24];
}

function crc32(bytes: Uint8Array): number {
  let crc = -1;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
  }
  return ~crc;
}

import type { Random } from "./random.ts";

/** A JSON value. */
export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };

/** Values that have broken checks of other services, or could break ours. */
const hostile: readonly Json[] = [
  null,
  true,
  false,
  0,
  -0,
  1,
  -1,
  0.1,
  90,
  -90,
  90.000001,
  180,
  -180,
  180.0000001,
  1e-320,
  1.7976931348623157e308,
  Number.MAX_SAFE_INTEGER + 2,
  "",
  " ",
  "0",
  "NaN",
  "Infinity",
  "null",
  "wind",
  "WIND",
  "constructor",
  "__proto__",
  "toString",
  "2026-01-01T00:00:00Z",
  "2026-02-30T00:00:00Z",
  "2026-01-01T24:00:00Z",
  "9999-12-31T23:59:59Z",
  "0000-01-01T00:00:00Z",
  "2026-01-01T00:00:00+00:00",
  "\u0000",
  "\ud800",
  "é‮🌊",
  "../../../etc/passwd",
  "'; DROP TABLE task; --",
  "%s%n{{7*7}}",
  [],
  [[]],
  [null],
  {},
  { length: 1 },
  { length: { toString: 1 } },
  { length: -1, 0: 1 },
  { toString: 1, valueOf: 1 },
  { toJSON: 1 },
  { catch: 1 },
  { constructor: { prototype: {} } },
  { value: 1, issues: [] },
];

/** A hostile value; occasionally a long or a deep one. */
export function hostileValue(random: Random): Json {
  if (!random.chance(0.06)) return structuredClone(random.of(hostile));
  const size = 2 ** random.below(15);
  switch (random.below(4)) {
    case 0:
      return "x".repeat(size);
    case 1:
      return Array.from({ length: size }, () => random.of(hostile));
    case 2: {
      // The value is too deep for the server, which refuses 64 levels, but not for structuredClone, whose stack is
      // limited.
      let deep: Json = [];
      for (let depth = 0; depth < size / 32; depth++) deep = [deep];
      return deep;
    }
    default:
      return Object.fromEntries(Array.from({ length: size }, (_, index) => [`k${index}`, index]));
  }
}

interface Place {
  parent: Json[] | { [name: string]: Json };
  key: string;
}

/** Changes a value in 1 to 3 places: replaces, removes, repeats or adds. */
export function mutate(value: Json, random: Random): Json {
  const root = { value: structuredClone(value) };
  for (let count = 1 + random.below(3); count > 0; count--) {
    const { parent, key } = random.of(placesIn(root));
    const entries = parent as { [name: string]: Json };
    switch (random.below(6)) {
      case 0:
        if (Array.isArray(parent)) parent.splice(Number(key), 1);
        else if (parent !== root) delete entries[key];
        break;
      case 1:
        if (Array.isArray(parent)) parent.push(structuredClone(parent[Number(key)] ?? null));
        else if (parent !== root)
          Object.defineProperty(parent, random.of(names), property(structuredClone(hostileValue(random))));
        break;
      default:
        // Hostile values are shared, so they are copied; one that contained itself would be infinite.
        entries[key] = structuredClone(hostileValue(random));
    }
  }
  return root.value;
}

const names = ["__proto__", "constructor", "length", "toString", "then", "extra", "", "points"];

function property(value: Json): PropertyDescriptor {
  return { value, enumerable: true, configurable: true, writable: true };
}

/** Places inside a value, by parent and key; at most a few hundred. */
function placesIn(root: { [name: string]: Json }): Place[] {
  const places: Place[] = [];
  const visit = (parent: Json[] | { [name: string]: Json }) => {
    for (const key of Object.keys(parent)) {
      if (places.length > 300) return;
      places.push({ parent, key });
      const child = (parent as { [name: string]: Json })[key];
      if (typeof child === "object" && child !== null) visit(child);
    }
  };
  visit(root);
  return places;
}

/** Text that JSON.stringify never writes. */
const fragments = ["﻿", "\u0000", "\\u12", "1e999", "-", "01", ",,", "}", "]", '{"a":1,"a":2}', "NaN", "//"];

/** Damages JSON text bytewise: cuts, repeats, flips, inserts. */
export function damage(text: string, random: Random): Buffer {
  const bytes = Buffer.from(text);
  const at = random.below(bytes.length + 1);
  const to = Math.min(bytes.length, at + random.below(20));
  switch (random.below(6)) {
    case 0:
      return bytes.subarray(0, at);
    case 1:
      return Buffer.concat([bytes.subarray(0, to), bytes.subarray(at)]);
    case 2: {
      const flipped = Buffer.from(bytes);
      if (at < bytes.length) flipped[at]! ^= 1 << random.below(8);
      return flipped;
    }
    case 3:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from("[".repeat(2 ** random.below(16)))]);
    case 4:
      return Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]);
    default:
      return Buffer.concat([bytes.subarray(0, at), Buffer.from(random.of(fragments)), bytes.subarray(at)]);
  }
}

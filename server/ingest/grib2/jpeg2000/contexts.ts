export type Orientation = "LL" | "HL" | "LH" | "HH";

/** Probability of the less probable symbol, next state after the more and after the less probable one (T.800 table C.2). */
export const mqStates: readonly (readonly [number, number, number])[] = [
  [0x5601, 1, 1],
  [0x3401, 2, 6],
  [0x1801, 3, 9],
  [0x0ac1, 4, 12],
  [0x0521, 5, 29],
  [0x0221, 38, 33],
  [0x5601, 7, 6],
  [0x5401, 8, 14],
  [0x4801, 9, 14],
  [0x3801, 10, 14],
  [0x3001, 11, 17],
  [0x2401, 12, 18],
  [0x1c01, 13, 20],
  [0x1601, 29, 21],
  [0x5601, 15, 14],
  [0x5401, 16, 14],
  [0x5101, 17, 15],
  [0x4801, 18, 16],
  [0x3801, 19, 17],
  [0x3401, 20, 18],
  [0x3001, 21, 19],
  [0x2801, 22, 19],
  [0x2401, 23, 20],
  [0x2201, 24, 21],
  [0x1c01, 25, 22],
  [0x1801, 26, 23],
  [0x1601, 27, 24],
  [0x1401, 28, 25],
  [0x1201, 29, 26],
  [0x1101, 30, 27],
  [0x0ac1, 31, 28],
  [0x09c1, 32, 29],
  [0x08a1, 33, 30],
  [0x0521, 34, 31],
  [0x0441, 35, 32],
  [0x02a1, 36, 33],
  [0x0221, 37, 34],
  [0x0141, 38, 35],
  [0x0111, 39, 36],
  [0x0085, 40, 37],
  [0x0049, 41, 38],
  [0x0025, 42, 39],
  [0x0015, 43, 40],
  [0x0009, 44, 41],
  [0x0005, 45, 42],
  [0x0001, 45, 43],
  [0x5601, 46, 46],
];
/** A less probable symbol in these states changes which symbol is the more probable one. */
const switching = [0, 6, 14];

/** By twice the state plus the more probable symbol, with 8 bits behind the binary point. */
export const probabilities = Int32Array.from(
  { length: 2 * mqStates.length },
  (_, at) => mqStates[at >> 1]![0] << 8,
);
/** By twice the same plus 1 after a less probable symbol. */
export const nextStates = Uint8Array.from({ length: 4 * mqStates.length }, (_, at) => {
  const isLess = at & 1;
  const state = at >> 2;
  const more = ((at >> 1) & 1) ^ (isLess === 1 && switching.includes(state) ? 1 : 0);
  return 2 * mqStates[state]![1 + isLess]! + more;
});
/** Of the 19 contexts, as indices of `probabilities` (T.800 table D.7). */
export const firstStates = Uint8Array.from(
  { length: 19 },
  (_, context) => 2 * ({ 0: 4, 17: 3, 18: 46 }[context] ?? 0),
);

const SIGN_CONTEXT = 9;

/** Contexts by the significance of the eight neighbours (T.800 table D.1). */
export const zeroContexts: Readonly<Record<Orientation, Uint8Array>> = {
  LL: tableOf(contextAlong),
  LH: tableOf(contextAlong),
  HL: tableOf((horizontal, vertical, diagonal) => contextAlong(vertical, horizontal, diagonal)),
  HH: tableOf((horizontal, vertical, diagonal) => {
    const straight = Math.min(horizontal + vertical, 2);
    if (diagonal >= 3) return 8;
    if (diagonal === 2) return straight >= 1 ? 7 : 6;
    return diagonal === 1 ? 3 + straight : straight;
  }),
};

function tableOf(context: (horizontal: number, vertical: number, diagonal: number) => number): Uint8Array {
  return Uint8Array.from({ length: 512 }, (_, near) => {
    const bit = (at: number) => (near >> at) & 1;
    return context(bit(3) + bit(5), bit(1) + bit(7), bit(0) + bit(2) + bit(6) + bit(8));
  });
}

function contextAlong(horizontal: number, vertical: number, diagonal: number): number {
  if (horizontal === 2) return 8;
  if (horizontal === 1) {
    if (vertical >= 1) return 7;
    return diagonal >= 1 ? 6 : 5;
  }
  if (vertical >= 1) return 2 + vertical;
  return Math.min(diagonal, 2);
}

/** Twice the context plus the expected sign, by significance and sign of four neighbours (T.800 table D.3). */
export const signContexts = Uint8Array.from({ length: 256 }, (_, at) => {
  const part = (first: number, second: number) => {
    const of = (bit: number) => ((at >> (bit + 1)) & 1) * (1 - 2 * ((at >> bit) & 1));
    return Math.max(-1, Math.min(1, of(first) + of(second)));
  };
  const horizontal = part(2, 4);
  const vertical = part(0, 6);
  const isExpectedNegative = horizontal < 0 || (horizontal === 0 && vertical < 0);
  const context = horizontal === 0 ? Math.abs(vertical) : 3 + (isExpectedNegative ? -vertical : vertical);
  return 2 * (SIGN_CONTEXT + context) + (isExpectedNegative ? 1 : 0);
});

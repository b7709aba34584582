/** Matrices on linear RGB that simulate colour blindness, Machado et al. 2009, severity 1. */
export const sights = {
  "all cones": [1, 0, 0, 0, 1, 0, 0, 0, 1],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
};

/** CIELAB coordinates of a table entry after the matrix is applied. */
export function seen(table: Uint8Array, index: number, matrix: readonly number[]): [number, number, number] {
  const light = [...table.subarray(4 * index, 4 * index + 3)].map((byte) => {
    const share = byte / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const [r, g, b] = [0, 1, 2].map((row) =>
    Math.min(
      1,
      Math.max(
        0,
        light.reduce((sum, of, column) => sum + of * matrix[3 * row + column]!, 0),
      ),
    ),
  ) as [number, number, number];
  const f = (share: number) => (share > 216 / 24389 ? Math.cbrt(share) : ((share * 24389) / 27 + 16) / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}

import polygonClipping from "polygon-clipping";
import { capHull } from "#lib/geo/cap-hull.ts";
import { convexUnion } from "#lib/geo/convex-union.ts";
import { gnomonic } from "#lib/geo/gnomonic.ts";
import { destination, EARTH_KM, type Place, unit, vectorOf } from "#lib/geo/sphere.ts";
import { type Disc, sweptArea } from "#lib/geo/swept-area.ts";

/** Limit for one cone, ms. */
const LIMIT_MS = 30;

const KM = [2, 46, 72, 91, 115, 143, 176, 248, 370];
const ROUNDS = 40;

/** Times one cone of nine circles, and the union of its hulls against polygon-clipping. */
export function bench(): void {
  console.log("one cone (limit 30 ms); of it the union of its eight hulls, ours and polygon-clipping's");
  const tracks: Record<string, (hour: number) => [heading: number, km: number]> = {
    typical: (step) => [290 + 12 * step, 260],
    "a loop": (step) => [70 * step, 90],
    stalled: (step) => [200 * step, 15],
  };
  for (const [name, course] of Object.entries(tracks)) {
    const discs = along({ latitude: 18, longitude: 178 }, course);
    const caps = discs.map((disc) => ({ centre: vectorOf(disc), radius: disc.km / EARTH_KM }));
    const { project } = gnomonic(unit(vectorOf(discs[4]!)));
    const hulls = caps.slice(1).map((cap, index) => capHull(caps[index]!, cap).map(project));
    const [first, ...rest] = hulls.map((hull) => [hull.map(({ x, y }): [number, number] => [x, y])]);
    const whole = millis(() => sweptArea(discs));
    const ours = millis(() => convexUnion(hulls));
    const theirs = millis(() => polygonClipping.union(first!, ...rest));
    const ratio = (theirs / ours).toFixed(1);
    console.log(
      `${name.padEnd(10)} ${whole.toFixed(2)} ms (${(LIMIT_MS / whole).toFixed(0)}× below the limit); ` +
        `union ${ours.toFixed(2)} against ${theirs.toFixed(2)} ms: ${ratio}× as fast`,
    );
  }
}

function along(start: Place, course: (step: number) => [heading: number, km: number]): Disc[] {
  let place = start;
  return KM.map((km, step) => {
    const [heading, distance] = course(step);
    if (step > 0) place = destination(place, heading, distance);
    return { ...place, km };
  });
}

/** Milliseconds of one call, the median of several rounds. */
function millis(work: () => unknown): number {
  const times = Array.from({ length: ROUNDS }, () => {
    const begin = performance.now();
    work();
    return performance.now() - begin;
  });
  return times.sort((a, b) => a - b)[ROUNDS / 2]!;
}

import { destination, type Place } from "@open-metocean/geo/sphere";
import { describe, expect, it } from "vitest";
import type { Vessel } from "#lib/passage/vessel.ts";
import { foundPast, hurricane, lookedAt, stormStarts } from "#test/storm-passages.ts";

const place = (latitude: number, longitude: number): Place => ({ latitude, longitude });
const motor: Vessel = { kind: "fixed", knots: 14 };
const costOf = ({ hours, weighted }: ReturnType<typeof lookedAt>) => hours + 8 * weighted;

describe("beside a hurricane, with 14 kt", () => {
  // The hurricane crosses the direct way; a prudent route passes far to the north of it.
  const [from, to] = [place(24, -66), place(17.5, -46)];
  const storm = hurricane(place(22.5, -63), 315, 10);
  const direct = foundPast(storm, [from, to], motor);

  it("finds the way out of a danger area that the voyage starts in", () => {
    const [own, better] = [[from, to], direct.route].map((way) => lookedAt(storm, way, 14));
    expect(own).toMatchObject({ km: expect.closeTo(8, -1) });
    expect(direct.origin).toBe("search");
    expect(better!.km).toBeGreaterThan(330);
    expect(better!.windKt).toBeLessThan(40);
    expect(better!.weighted).toBeLessThan(own!.weighted / 4);
  });

  it("finds the same whatever route it was asked with, and leaves a better one as it is", () => {
    const around = foundPast(storm, [from, place(31, -56), to], motor);
    expect(around.route).toEqual(direct.route);
    const again = foundPast(storm, direct.route, motor);
    expect(again).toMatchObject({ origin: "own", route: direct.route });
  });
});

describe("starts inside and beside a hurricane", () => {
  it.each(stormStarts.filter((_, index) => index % 32 === 1))(
    "$km km from its centre are never made worse, by distance, wind and sea of the time",
    ({ km, bearing, towards, knots }) => {
      const eye = place(22, -55);
      const storm = hurricane(eye, towards, knots);
      const from = destination(eye, bearing, km);
      const to = destination(eye, bearing + 150, 900);
      const { route, origin } = foundPast(storm, [from, to], motor);
      const [own, better] = [[from, to], route].map((way) => lookedAt(storm, way, 14));
      if (origin === "own") expect(route).toEqual([from, to].map((one) => expect.objectContaining(one)));
      else expect(costOf(better!)).toBeLessThan(costOf(own!));
      expect(better!.windKt).toBeLessThanOrEqual(own!.windKt + 1);
      expect(better!.km).toBeGreaterThan(own!.km - 10);
    },
  );
});

import { describe, expect, it } from "vitest";
import { mercatorView } from "#components/map/map-view.ts";
import { PlacedLabels, wrapped } from "./labels.ts";

describe("Labels of a picture", () => {
  it("leave each other the room that they have taken", () => {
    const labels = new PlacedLabels();
    expect(labels.place(100, 100, 30, 10)).toBe(true);
    expect(labels.place(150, 105, 30, 10)).toBe(false);
    expect(labels.place(161, 105, 30, 10)).toBe(true);
    expect(labels.isFree(100, 121, 30, 10)).toBe(true);
  });

  it("are known to symbols by their places", () => {
    const view = mercatorView({ width: 400, height: 300, centre: { latitude: 0, longitude: 10 }, zoom: 2 });
    const labels = new PlacedLabels();
    labels.take(200, 150, 30, 10);
    const [box] = labels.asPlaces(view);
    expect(box).toMatchObject({ halfWidth: 30, halfHeight: 10 });
    expect(box?.latitude).toBeCloseTo(0, 9);
    expect(box?.longitude).toBeCloseTo(10, 9);
  });

  it("end their lines where these are of similar length", () => {
    const widthOf = (text: string) => text.length;
    expect(wrapped("North Sea", widthOf, 12)).toEqual(["North Sea"]);
    expect(wrapped("North Atlantic Ocean", widthOf, 14)).toEqual(["North", "Atlantic Ocean"]);
    expect(wrapped("Gulf of St. Lawrence", widthOf, 14)).toEqual(["Gulf of St.", "Lawrence"]);
    expect(wrapped("Skagerrak", widthOf, 4)).toEqual(["Skagerrak"]);
  });
});

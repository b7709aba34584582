import { describe, expect, it } from "vitest";
import { en as words } from "#lib/words/en.ts";
import { scaleBar } from "./scale-bar.ts";

const camera = (latitude: number, zoom: number) => ({
  width: 800,
  height: 600,
  centre: { latitude, longitude: 0 },
  zoom,
});

describe("The scale of a picture", () => {
  it("is a round number of nautical miles, at most 100 pixels long", () => {
    for (let zoom = 0.5; zoom <= 10; zoom += 0.25) {
      const { text, width } = scaleBar(camera(45, zoom), words);
      expect(text).toMatch(/^[1235]0* n mi$/);
      expect(width).toBeLessThanOrEqual(100);
      expect(width).toBeGreaterThan(49);
    }
  });

  it("is right at the middle parallel: 60 nautical miles are a degree of latitude", () => {
    // 4,096 pixels of the equator, 21,600 n mi; at 60° half of that.
    const { text, width } = scaleBar(camera(60, 3), words);
    expect(text).toBe("200 n mi");
    expect(width).toBeCloseTo((200 / 21_600) * 4096 * 2, 0);
  });
});

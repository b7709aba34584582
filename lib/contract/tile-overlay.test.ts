import { expect, it } from "vitest";
import { originOf } from "./tile-overlay.ts";

it("the origin is written as a policy needs it", () => {
  expect(originOf({ tiles: "https://TILES.example.org:443/{z}/{x}/{y}.png" })).toBe(
    "https://tiles.example.org",
  );
  expect(originOf({ tiles: "http://127.0.0.1:8081/{z}/{x}/{y}" })).toBe("http://127.0.0.1:8081");
});

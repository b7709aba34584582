import { reckoned } from "@open-metocean/geo/rhumb";
import { expect, it, vi } from "vitest";
import { utc, zoneOf } from "#components/view-state/civil.ts";
import { en } from "#lib/messages/generated/en.ts";
import { parseInstant } from "#lib/time.ts";
import { shipMapLayer, shipShapes } from "./ship-map-layer.ts";

const time = parseInstant("2026-09-15T06:12:00Z");
const fix = { latitude: 10, longitude: 179, course: 90, speed: 12, time };
const of = (shown: ReturnType<typeof shipShapes>, kind: string) =>
  shown.features.filter(({ properties }) => properties?.kind === kind);

it("draws the ship where dead reckoning puts it at the time shown, with marks of the next day in the chosen clock", () => {
  const at = time + 5 * 3600;
  const shown = shipShapes({ fix, time: at, zone: utc });
  const there = reckoned(fix, at);
  expect(of(shown, "ship")).toMatchObject([
    {
      geometry: { coordinates: [there.longitude, there.latitude] },
      properties: { course: 90, moves: true, known: true },
    },
  ]);
  expect(of(shown, "mark").map(({ properties }) => properties?.label)).toEqual([
    "17:12",
    "23:12",
    "Wed 05:12",
    "Wed 11:12",
  ]);
  const labels = of(shipShapes({ fix, time: at, zone: zoneOf("ship", -45, en) }), "mark");
  expect(labels[0]!.properties?.label).toBe("14:12");
});

it("has a way without a jump across 180°", () => {
  const [way] = of(shipShapes({ fix, time, zone: utc }), "way");
  const longitudes = (way!.geometry as GeoJSON.LineString).coordinates.map(([longitude]) => longitude!);
  for (const [index, longitude] of longitudes.slice(1).entries())
    expect(Math.abs(longitude - longitudes[index]!)).toBeLessThan(0.3);
  expect(longitudes.at(-1)).toBeGreaterThan(183);
});

it("at anchor has no way, and before the time of the position stays there, marked as not known", () => {
  const anchored = shipShapes({ fix: { ...fix, speed: 0 }, time, zone: utc });
  expect(anchored.features.map(({ properties }) => properties?.kind)).toEqual(["ship"]);
  const [before] = of(shipShapes({ fix, time: time - 3600, zone: utc }), "ship");
  expect(before).toMatchObject({ geometry: { coordinates: [179, 10] }, properties: { known: false } });
});

it("lets go of the end of the way where the system takes the finger away", () => {
  const listeners = new Map<string, (event: unknown) => void>();
  const map = {
    addSource: () => undefined,
    getSource: () => ({ setData: () => undefined }),
    on: (type: string, ...rest: unknown[]) =>
      void listeners.set(type, rest.at(-1) as (event: unknown) => void),
  };
  vi.stubGlobal("window", new EventTarget());
  const request = vi.fn();
  vi.stubGlobal("requestAnimationFrame", request);
  const layer = shipMapLayer({ map, element: {}, labelFont: [], before: "" } as never);
  const last = { ship: undefined, theme: "light" };
  layer.draw({ ...last, ship: { fix, time, zone: utc, onTry: () => undefined } }, last);
  listeners.get("touchstart")!({ originalEvent: { touches: [{}] }, preventDefault: () => undefined });
  listeners.get("touchcancel")!({});
  listeners.get("touchmove")!({ lngLat: { lat: 11, lng: 178 } });
  expect(request).not.toHaveBeenCalled();
  vi.unstubAllGlobals();
});

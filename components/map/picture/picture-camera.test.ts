import { describe, expect, it } from "vitest";
import { mercatorView } from "#components/map/map-view.ts";
import { boxOfCamera, fitted, keptWithin, panned, zoomed } from "./picture-camera.ts";

const camera = { width: 800, height: 600, centre: { latitude: 45, longitude: -30 }, zoom: 3 };

describe("The camera of a picture", () => {
  it("sees the box whose corners are those of the canvas", () => {
    const view = mercatorView(camera);
    const [northWest, southEast] = [view.unproject(0, 0)!, view.unproject(800, 600)!];
    const box = boxOfCamera(camera);
    expect(box.north).toBeCloseTo(northWest.latitude, 9);
    expect(box.west).toBeCloseTo(northWest.longitude, 9);
    expect(box.south).toBeCloseTo(southEast.latitude, 9);
    expect(box.east).toBeCloseTo(southEast.longitude, 9);
  });

  it("continues beyond 180° across the antimeridian", () => {
    const { west, east } = boxOfCamera({ ...camera, centre: { latitude: 0, longitude: 175 } });
    expect(west).toBeLessThan(175);
    expect(east).toBeGreaterThan(180);
  });

  it("shows no sky: near a pole it moves back, and a low window is filled", () => {
    const high = keptWithin({ ...camera, centre: { latitude: 84, longitude: 0 }, zoom: 1 });
    expect(boxOfCamera(high).north).toBeLessThanOrEqual(85.0512);
    const low = keptWithin({ ...camera, height: 900, zoom: 0.5 });
    expect(512 * 2 ** low.zoom).toBeCloseTo(900, 6);
    expect(low.centre.latitude).toBeCloseTo(0, 6);
    expect(keptWithin(camera)).toEqual(camera);
  });

  it("moves with what is dragged", () => {
    const before = mercatorView(camera).unproject(100, 100)!;
    const after = mercatorView(panned(camera, 60, -40)).unproject(160, 60)!;
    expect(after.latitude).toBeCloseTo(before.latitude, 9);
    expect(after.longitude).toBeCloseTo(before.longitude, 9);
  });

  it("zooms around the pointer", () => {
    const at = { x: 700, y: 90 };
    const before = mercatorView(camera).unproject(at.x, at.y)!;
    const next = zoomed(camera, 4.2, at);
    const after = mercatorView(next).unproject(at.x, at.y)!;
    expect(next.zoom).toBe(4.2);
    expect(after.latitude).toBeCloseTo(before.latitude, 9);
    expect(after.longitude).toBeCloseTo(before.longitude, 9);
  });

  it("shows a box whole, clear of what covers the edges", () => {
    const box = { south: 30, north: 50, west: 170, east: 190 };
    const padding = { top: 70, right: 50, bottom: 120, left: 50 };
    const next = fitted(camera, box, padding, 6);
    const view = mercatorView(next);
    const at = { x: 0, y: 0 };
    view.project(box.north, box.west, at);
    expect(at.x).toBeGreaterThanOrEqual(49.9);
    expect(at.y).toBeGreaterThanOrEqual(69.9);
    view.project(box.south, box.east - 360, at);
    expect(at.x).toBeLessThanOrEqual(750.1);
    expect(at.y).toBeLessThanOrEqual(480.1);
  });
});

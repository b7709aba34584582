import type { Fix } from "@open-metocean/geo/rhumb";
import { createContext, use, useSyncExternalStore } from "react";
import { readDecimal } from "#lib/decimal.ts";
import { deviceStorage, storedState } from "./device-setting.ts";
import { parseShownTime, writeShownTime } from "./timeline.ts";

interface StoredShip {
  ship: Fix | undefined;
  /** Another ship, from a link that was opened while there was one. It is used only if the user agrees. */
  offered?: Fix;
  /** The ship that was last forgotten, so that it can be restored. */
  forgotten?: Fix;
  /**
   * The same ship with another course and speed from now on, to see their effect; it is stored on no device
   * and in no link.
   */
  tried?: Fix;
}

const STORAGE_KEY = "metocean-ship";
const onServer: StoredShip = { ship: undefined };
const store = storedState<StoredShip>(STORAGE_KEY, (text, before) => {
  const ship = parseShip(text ?? "");
  return ship && before?.offered ? { ship, offered: before.offered } : { ship };
});

export const readShip = store.read;
export const subscribeToShip = store.subscribe;

/** A ship that replaces the device's ship for the components within. */
export const ShipContext = createContext<StoredShip | undefined>(undefined);

export function useShip(): StoredShip {
  const given = use(ShipContext);
  const stored = useSyncExternalStore(subscribeToShip, readShip, () => onServer);
  return given ?? stored;
}

/** Accepts a ship that the user entered or agreed to, rounded as in a link. */
export function keepShip(fix: Fix): void {
  const text = writeShip(fix);
  deviceStorage.setItem(STORAGE_KEY, text);
  store.set({ ship: parseShip(text) });
}

export function forgetShip(): void {
  const { ship } = readShip();
  deviceStorage.removeItem(STORAGE_KEY);
  store.set({ ship: undefined, forgotten: ship });
}

/** Tries another course and speed; undefined ends it. It does nothing without a ship. */
export function tryShip(tried: Fix | undefined): void {
  const { tried: _tried, ...rest } = readShip();
  if (rest.ship) store.set(tried ? { ...rest, tried } : rest);
}

/**
 * Accepts the ship of a link if this device has none; otherwise it is only offered, because the sender of a
 * link could otherwise move the ship from which storms are measured.
 */
export function offerShip(fix: Fix): void {
  const { ship } = readShip();
  if (!ship) keepShip(fix);
  else if (writeShip(ship) !== writeShip(fix)) store.set({ ship, offered: fix });
}

/** Retains the ship of this device, and drops the one of a link. */
export function declineShip(): void {
  store.set({ ship: readShip().ship });
}

/** Greatest speed, kn, that POST /storms/approach accepts. */
export const MAX_SPEED = 100;

/**
 * Parses `48.5,-5.17,45,6.5,2026-09-15T06:12:00Z`: latitude, longitude, course, speed and time; undefined for
 * any other text.
 */
export function parseShip(text: string): Fix | undefined {
  const [latitude = "", longitude = "", course = "", speed = "", at = "", ...rest] = text.split(",");
  const time = parseShownTime(at);
  if (rest.length > 0 || typeof time !== "number") return undefined;
  const fix = {
    latitude: within(latitude, -90, 90),
    longitude: within(longitude, -180, 180),
    course: within(course, 0, 360),
    speed: within(speed, 0, MAX_SPEED),
    time,
  };
  return Object.values(fix).every(Number.isFinite) ? fix : undefined;
}

/** Inverse of `parseShip`, to 11 m, 0.1° and 0.1 kn. */
export function writeShip({ latitude, longitude, course, speed, time }: Fix): string {
  const place = [latitude, longitude].map((degrees) => Number(degrees.toFixed(4)));
  return [...place, ...[course, speed].map((value) => Number(value.toFixed(1))), writeShownTime(time)].join(
    ",",
  );
}

export function withShip(address: string, ship: Fix): string {
  const link = new URL(address);
  link.searchParams.set("ship", writeShip(ship));
  return link.href;
}

function within(text: string, least: number, most: number): number {
  const value = readDecimal(text);
  return value >= least && value <= most ? value : Number.NaN;
}

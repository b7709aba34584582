import { useSyncExternalStore } from "react";
import { readDecimal } from "#lib/decimal.ts";
import { ownPortLimits } from "#lib/tides/limits.ts";
import { keepJson, readKept, storedState } from "./device-setting.ts";

/** The user's own secondary port: differences from a station, minutes later and metres higher. */
export interface OwnPort {
  /** Empty if it has no name. */
  name: string;
  differences: { high_minutes: number; low_minutes: number; high_m: number; low_m: number };
}

/** Most characters of a name. */
export const MAX_NAME = 60;

/**
 * The text form `12,5,-0.3,0,Cove`: minutes, then metres, each for high and for low water, then the name.
 * Minutes are integers, metres are rounded to 0.01.
 *
 * @returns null if a number is missing or out of bounds, or if all are 0.
 */
export function parseOwnPort(text: string): OwnPort | null {
  const [highMinutes = "", lowMinutes = "", highMetres = "", lowMetres = "", ...name] = text.split(",");
  const minutes = [highMinutes, lowMinutes].map((part) => Math.round(readDecimal(part)) + 0);
  const metres = [highMetres, lowMetres].map((part) => Math.round(100 * readDecimal(part)) / 100 + 0);
  const isWithin = (values: number[], most: number) => values.every((value) => Math.abs(value) <= most);
  if (!isWithin(minutes, ownPortLimits.minutes) || !isWithin(metres, ownPortLimits.metres)) return null;
  if ([...minutes, ...metres].every((value) => value === 0)) return null;
  return {
    name: name.join(",").trim().slice(0, MAX_NAME),
    differences: {
      high_minutes: minutes[0]!,
      low_minutes: minutes[1]!,
      high_m: metres[0]!,
      low_m: metres[1]!,
    },
  };
}

/** Inverse of `parseOwnPort`. */
export function writeOwnPort({ name, differences }: OwnPort): string {
  const { high_minutes, low_minutes, high_m, low_m } = differences;
  return [high_minutes, low_minutes, high_m, low_m, ...(name ? [name] : [])].join(",");
}

interface KeptPorts {
  /** Ports by the id of their station, in the form of a link. */
  ports: Readonly<Record<string, string>>;
}

const [STORAGE_KEY, LIST] = ["metocean-own-ports", "ports"];
const onServer: KeptPorts = { ports: {} };

const store = storedState<KeptPorts>(STORAGE_KEY, (text) => {
  const kept = Object.entries(readKept<Record<string, unknown>>(text, LIST) ?? {});
  const ports = kept.filter((entry): entry is [string, string] => typeof entry[1] === "string");
  return { ports: Object.fromEntries(ports) };
});

/** The port that this device stores for a station; null if there is none. */
export function useKeptPort(station: string): OwnPort | null {
  const { ports } = useSyncExternalStore(store.subscribe, store.read, () => onServer);
  return parseOwnPort((Object.hasOwn(ports, station) && ports[station]) || "");
}

/** Stores a port for a station, replacing the previous one. @returns Whether the device stored it. */
export function keepPort(station: string, port: OwnPort): boolean {
  return keep({ ...store.read().ports, [station]: writeOwnPort(port) });
}

/** Forgets a port of a station; a different one that is stored for it stays. */
export function forgetPort(station: string, port: OwnPort): void {
  const { [station]: kept, ...others } = store.read().ports;
  if (kept === writeOwnPort(port)) keep(others);
}

/** Ports that the device does not store stay while the page is open. */
function keep(ports: KeptPorts["ports"]): boolean {
  const isKept = keepJson(STORAGE_KEY, LIST, ports);
  store.set({ ports });
  return isKept;
}

import { deviceSetting } from "#components/view-state/device-setting.ts";
import type { LinedVariable } from "#lib/catalog/colours.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";

/** Actions of the map's keys while it has the focus. */
export interface MapActions {
  /** Shows the conditions at the centre. */
  sample(): void;
  /** Steps in time. */
  step(by: number): void;
  day(by: number): void;
  now(): void;
  play(): void;
  /** Opens the dialog for date and time. */
  pickTime(): void;
  /** @param place Position among the layers with their own buttons, from 1. */
  layer(place: number): void;
  /** Switches the lines of a variable on or off. */
  lines(of: LinedVariable): void;
  /** Switches between two pictures side by side and one. */
  compare(): void;
  /** Focuses the search field. */
  find(): void;
  /** Opens the storms panel. */
  storms(): void;
  nextStorm(): void;
  /** Moves the map to the ship, or opens the ship panel if there is none. */
  ship(): void;
  /** Opens the passage panel. */
  passage(): void;
  /** Opens the panel that makes a file of what the map shows. */
  download(): void;
  /** Opens the tasks page. */
  tasks(): void;
  /** Switches to the next unit of the layer. */
  unit(): void;
  help(): void;
}

interface MapKey {
  /** Values of `KeyboardEvent.key`. */
  keys: readonly string[];
  /** Name of the key in the help if it differs from its value. */
  written?: "space";
  /** Name of its description in the help. */
  does: keyof Messages["screen"]["keys"]["does"];
  act(actions: MapActions, key: string): void;
}

/** Keys of the map in addition to those of MapLibre; the help lists this table. */
export const mapKeys: readonly MapKey[] = [
  { keys: ["Enter"], does: "sample", act: (map) => map.sample() },
  { keys: ["[", "]"], does: "step", act: (map, key) => map.step(key === "[" ? -1 : 1) },
  { keys: ["{", "}"], does: "day", act: (map, key) => map.day(key === "{" ? -1 : 1) },
  { keys: [" "], written: "space", does: "play", act: (map) => map.play() },
  { keys: ["d"], does: "pickTime", act: (map) => map.pickTime() },
  { keys: ["0"], does: "now", act: (map) => map.now() },
  {
    keys: ["1", "2", "3"],
    does: "layer",
    act: (map, key) => map.layer(Number(key)),
  },
  { keys: ["i"], does: "isobars", act: (map) => map.lines("pressure") },
  { keys: ["w"], does: "heights", act: (map) => map.lines("wave") },
  { keys: ["c"], does: "compare", act: (map) => map.compare() },
  { keys: ["g"], does: "find", act: (map) => map.find() },
  { keys: ["s"], does: "storms", act: (map) => map.storms() },
  { keys: ["n"], does: "nextStorm", act: (map) => map.nextStorm() },
  { keys: ["m"], does: "ship", act: (map) => map.ship() },
  { keys: ["p"], does: "passage", act: (map) => map.passage() },
  { keys: ["f"], does: "download", act: (map) => map.download() },
  { keys: ["t"], does: "tasks", act: (map) => map.tasks() },
  { keys: ["u"], does: "unit", act: (map) => map.unit() },
  { keys: ["?"], does: "help", act: (map) => map.help() },
];

/**
 * Handles a key. Enter always works, because it replaces a click on the map. @returns false for any other
 * key.
 */
export function actOnKey(
  event: Pick<KeyboardEvent, "key" | "ctrlKey" | "metaKey" | "altKey">,
  actions: MapActions,
  singleKeys: boolean,
): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const found = mapKeys.find(({ keys }) => keys.includes(event.key));
  if (!found || (!singleKeys && event.key !== "Enter")) return false;
  found.act(actions, event.key);
  return true;
}

const setting = deviceSetting("metocean-single-keys", ["on", "off"]);

/** Whether single keys act on the map; users with speech input or tremor can turn them off (WCAG 2.1.4). */
export const useSingleKeys = (): boolean => setting.use() === "on";

export const setSingleKeys = (on: boolean): void => setting.set(on ? "on" : "off");

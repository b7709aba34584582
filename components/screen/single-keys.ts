import { deviceSetting } from "#components/view-state/device-setting.ts";

const setting = deviceSetting("metocean-single-keys", ["on", "off"]);

/** Whether single keys act on the map; they can be turned off for speech input and tremor (WCAG 2.1.4). */
export const useSingleKeys = (): boolean => setting.use() === "on";

export const setSingleKeys = (on: boolean): void => setting.set(on ? "on" : "off");

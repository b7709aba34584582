import { deviceSetting } from "./device-setting.ts";

/** How much a view may cost: full detail, or what a metered link at sea allows. */
export const dataUses = ["full", "light"] as const;

export type DataUse = (typeof dataUses)[number];

export const dataUseTitles: Record<DataUse, string> = { full: "Full detail", light: "Light" };

/** What each costs, as measured by `npm run bench -- "first view"` on wind of 0.25°. */
export const dataUseCosts: Record<DataUse, string> = {
  full: "Each time of the map costs 0.2 to 0.7 MB, and the times next to it are read ahead.",
  light: "Each time of the map costs 0.1 MB: the field at about 1°, nothing read ahead, no moving particles.",
};

/** The choice of this device; without one, that of the browser's own data saver. */
const setting = deviceSetting("metocean-data-use", dataUses, () => {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData ? "light" : "full";
});

export const { use: useDataUse, read: dataUse, set: setDataUse } = setting;

import { deviceSetting } from "./device-setting.ts";

/** How much a view may cost: full detail, or what a metered link at sea allows. */
export const dataUses = ["full", "light"] as const;

/** The choice of this device; without one, that of the browser's own data saver. */
const setting = deviceSetting("metocean-data-use", dataUses, () => {
  const { connection } = navigator as Navigator & { connection?: { saveData?: boolean } };
  return connection?.saveData ? "light" : "full";
});

export const { use: useDataUse, read: dataUse, set: setDataUse } = setting;

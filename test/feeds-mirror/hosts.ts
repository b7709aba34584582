import { gfsHost } from "./host-gfs.ts";
import type { Host } from "./published.ts";

const DAY_S = 86_400;
const MINUTE_S = 60;

/** Who has what, by the name of the host. */
export const hosts: Readonly<Record<string, Host>> = {
  "noaa-gfs-bdp-pds.s3.amazonaws.com": gfsHost({ prefix: "", delay: 2 * MINUTE_S }),
  "storage.googleapis.com": gfsHost({ prefix: "/global-forecast-system", delay: 12 * MINUTE_S }),
  "noaagfs.blob.core.windows.net": gfsHost({ prefix: "/gfs", delay: 25 * MINUTE_S, keeps: 30 * DAY_S }),
  "nomads.ncep.noaa.gov": gfsHost({
    prefix: "/pub/data/nccf/com/gfs/prod",
    delay: 0,
    keeps: 2 * DAY_S,
    statusGone: 403,
  }),
};

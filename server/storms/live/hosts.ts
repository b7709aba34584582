import type { HostRules } from "#server/platform/fetching/host-gate.ts";

/** All hosts that feeds of storms may ask, some of them several feeds, and how each wants to be asked. */
export const stormHosts: Readonly<Record<string, HostRules>> = {
  "ftp.nhc.noaa.gov": { requestsPerMinute: 60, atOnce: 2 },
  "hurricanes.ral.ucar.edu": { requestsPerMinute: 30, atOnce: 2 },
  "tgftp.nws.noaa.gov": { requestsPerMinute: 60, atOnce: 2 },
  "www.data.jma.go.jp": { requestsPerMinute: 30, atOnce: 2 },
  "www.jma.go.jp": { requestsPerMinute: 30, atOnce: 2 },
  "www.metoc.navy.mil": { requestsPerMinute: 30, atOnce: 2 },
  "www.nhc.noaa.gov": { requestsPerMinute: 30, atOnce: 2 },
  "www.ssd.noaa.gov": { requestsPerMinute: 30, atOnce: 2 },
};

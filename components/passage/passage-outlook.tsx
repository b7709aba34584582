/** What the passage will be like: vessel, limits, departures, table and chart. */
export function PassageOutlook() {
  return null;
}

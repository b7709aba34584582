import type { DetailsTab, View } from "#components/view-state/view-url.ts";

type Opened = Pick<View, "storm" | "tide">;

/** The displayed tab of the panel. A link to a station, a storm or a plan opens its tab without naming it. */
export function shownTab({
  tab,
  storm,
  tide,
  plan,
}: Opened & Pick<View, "tab"> & Partial<Pick<View, "plan">>): DetailsTab {
  if (typeof plan === "string") return "passage";
  // A link may name the station tab without naming a station.
  if (tab && (tab !== "tide" || tide !== null)) return tab;
  return tide === null ? (storm === null ? "point" : "storms") : "tide";
}

/** Value of the parameter `tab` for a tab; null if the tab is shown without it. */
export function tabParameter(tab: DetailsTab, opened: Opened): DetailsTab | null {
  return tab === shownTab({ ...opened, tab: null }) ? null : tab;
}

/** Fragment of the map page that opens the list of storms. */
export const STORMS_FRAGMENT = "#storms";

/**
 * Whether the address asks for the list of storms. The fragment is then removed, so that the list can be
 * closed.
 */
export function takeStormsFragment(): boolean {
  const { hash, pathname, search } = window.location;
  if (hash !== STORMS_FRAGMENT) return false;
  window.history.replaceState(window.history.state, "", pathname + search);
  return true;
}

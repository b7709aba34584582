import type { DetailsTab, View } from "#components/view-state/view-url.ts";

type Opened = Pick<View, "storm" | "tide">;

/** The tab that the panel shows: a link to a station or a storm, or with a plan, opens it without naming the tab. */
export function shownTab({
  tab,
  storm,
  tide,
  plan,
}: Opened & Pick<View, "tab"> & Partial<Pick<View, "plan">>): DetailsTab {
  if (typeof plan === "string") return "passage";
  // A link may name the tab of a station, but no station.
  if (tab && (tab !== "tide" || tide !== null)) return tab;
  return tide === null ? (storm === null ? "point" : "storms") : "tide";
}

/** Value of the parameter `tab` that shows a tab: none where it would be shown anyway. */
export function tabParameter(tab: DetailsTab, opened: Opened): DetailsTab | null {
  return tab === shownTab({ ...opened, tab: null }) ? null : tab;
}

/** Where the list of storms is: on the map, which opens it for this fragment. */
export const STORMS_FRAGMENT = "#storms";

/** Whether the address asks for the list of storms. It does so once: the fragment is removed, so that the list can be left. */
export function takeStormsFragment(): boolean {
  const { hash, pathname, search } = window.location;
  if (hash !== STORMS_FRAGMENT) return false;
  window.history.replaceState(window.history.state, "", pathname + search);
  return true;
}

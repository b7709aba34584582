import type { DetailsTab, View } from "#components/view-state/view-url.ts";

/** The tab that the panel shows: a link to a storm or with a plan opens it without naming the tab. */
export function shownTab({
  tab,
  storm,
  plan,
}: Pick<View, "tab" | "storm"> & Partial<Pick<View, "plan">>): DetailsTab {
  if (typeof plan === "string") return "passage";
  return tab ?? (storm === null ? "point" : "storms");
}

/** Value of the parameter `tab` that shows a tab: none where it would be shown anyway. */
export function tabParameter(tab: DetailsTab, storm: string | null): DetailsTab | null {
  return tab === shownTab({ tab: null, storm }) ? null : tab;
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

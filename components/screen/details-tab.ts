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

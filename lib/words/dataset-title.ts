import type { Words } from "./en.ts";

/** What a dataset is called; a name that is not known is shown as it is. */
export function datasetTitle(name: string, { catalog }: Words): string {
  const titles: Readonly<Record<string, string>> = catalog.datasets;
  return titles[name] ?? name;
}

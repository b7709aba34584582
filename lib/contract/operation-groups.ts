/** Groups of operations, in the order of the reference, by the title of their tag in the OpenAPI document. */
export const operationGroups = {
  points: "Points",
  boxes: "Boxes",
  storms: "Storms",
  passages: "Passages",
  tasks: "Tasks",
  watches: "Watches and alerts",
  edr: "OGC API – EDR",
  discovery: "The service",
} as const;

export type OperationGroup = keyof typeof operationGroups;

/** By the first segment of the path. */
const groups: Readonly<Record<string, OperationGroup>> = {
  MetOcean: "points",
  point: "points",
  "2DMetOcean": "boxes",
  files: "boxes",
  storms: "storms",
  passages: "passages",
  task: "tasks",
  user: "tasks",
  cancel_task: "tasks",
  watches: "watches",
  alerts: "watches",
  channels: "watches",
  calendars: "watches",
  edr: "edr",
  feeds: "discovery",
  limits: "discovery",
  "openapi.json": "discovery",
  healthz: "discovery",
  readyz: "discovery",
};

/** Where a path stands in the reference: by its first segment. */
export function placeOfPath(path: string): number {
  return Object.keys(groups).indexOf(path.split("/")[1]!);
}

/** @throws TypeError for a path whose first segment is in no group. */
export function groupOfPath(path: string): OperationGroup {
  const segment = path.split("/")[1]!;
  const group = groups[segment];
  if (group) return group;
  throw new TypeError(`lib/contract/operation-groups.ts has no group for paths that begin with /${segment}`);
}

/** The last part of the address of an operation's page: `post-metocean`, `get-task-task-id`. */
export function slugOf(method: string, path: string): string {
  return `${method} ${path}`
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replace(/-$/, "");
}

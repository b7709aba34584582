import { type Json, openapiDocument } from "#lib/contract/openapi.ts";
import { slugOf } from "#lib/contract/operation-groups.ts";
import type { Context } from "#server/context.ts";
import { type Router, type RouteTable, routerOf } from "#server/http/router.ts";
import { alerts, readAlerts } from "./alerts.ts";
import { calendar, closeCalendar, openCalendar } from "./calendar.ts";
import { confirmChannel, unsubscribeChannel, unsubscribePage } from "./channel-links.ts";
import {
  askConfirmation,
  channels,
  createChannel,
  deleteChannel,
  renewChannelSecret,
  testChannel,
} from "./channels.ts";
import type { OperationDefinition } from "./definition.ts";
import { edrCollection, edrCollectionList, edrInstance, edrInstances } from "./edr-collections.ts";
import { grids } from "./edr-grid.ts";
import { stormItem, stormItems } from "./edr-items.ts";
import { edrApi, edrConformance, edrLanding } from "./edr-landing.ts";
import { positions } from "./edr-position.ts";
import { edrErrors } from "./edr-reply.ts";
import { trajectories } from "./edr-trajectory.ts";
import { feeds } from "./feeds.ts";
import { fieldManifest } from "./field-manifest.ts";
import { files } from "./files.ts";
import { guestSession } from "./guest-session.ts";
import { healthz, readyz } from "./health.ts";
import { redeemKey, requestKey } from "./key-requests.ts";
import { limits } from "./limits.ts";
import { map2d } from "./map-2d.ts";
import { mapFrame, signedMapFrame } from "./map-frame.ts";
import { metOcean, metOceanAsync } from "./met-ocean.ts";
import { metrics } from "./metrics.ts";
import { openapi } from "./openapi.ts";
import { passageEvaluate } from "./passage-evaluate.ts";
import { passageOptimise } from "./passage-optimise.ts";
import { point } from "./point.ts";
import { pointRuns } from "./point-runs.ts";
import { stormApproach } from "./storm-approach.ts";
import { stormDanger } from "./storm-danger.ts";
import { stormOutlooks } from "./storm-outlooks.ts";
import { stormHistory, storms } from "./storms.ts";
import { cancelTask, deleteTask, task, taskEvents, taskRequest } from "./task.ts";
import { userTasks, userTasksInState } from "./user-tasks.ts";
import { changeWatch, createWatch, deleteWatch, testWatch, watch, watches } from "./watches.ts";

/** Every operation, in the order of the OpenAPI document. */
export const operations: readonly OperationDefinition[] = [
  metOcean,
  point,
  metOceanAsync,
  task,
  deleteTask,
  taskRequest,
  taskEvents,
  cancelTask,
  userTasks,
  userTasksInState,
  pointRuns,
  map2d,
  files,
  passageEvaluate,
  passageOptimise,
  storms,
  stormOutlooks,
  stormApproach,
  stormDanger,
  stormHistory,
  channels,
  createChannel,
  openCalendar,
  closeCalendar,
  deleteChannel,
  testChannel,
  renewChannelSecret,
  askConfirmation,
  calendar,
  createWatch,
  watches,
  watch,
  changeWatch,
  deleteWatch,
  testWatch,
  alerts,
  readAlerts,
  feeds,
  limits(() => operations),
  edrLanding,
  edrApi(() => operations),
  edrConformance,
  edrCollectionList,
  edrCollection,
  ...positions,
  ...trajectories,
  ...grids,
  edrInstances,
  edrInstance,
  stormItems,
  stormItem,
  openapi(apiDocument),
  healthz,
  readyz,
  fieldManifest,
  mapFrame,
  signedMapFrame,
  guestSession,
  requestKey,
  redeemKey,
  confirmChannel,
  unsubscribeChannel,
  unsubscribePage,
  metrics,
];

/** Those that every context has, whatever its settings. */
export const standardOperations = operations.filter(({ isOn }) => !isOn);

/** First segments of the published paths: an unknown path below them is a 404 in JSON, never a page. */
const published = [
  "MetOcean",
  "2DMetOcean",
  "files",
  "task",
  "user",
  "cancel_task",
  "storms",
  "passages",
  "channels",
  "calendars",
  "watches",
  "alerts",
  "feeds",
  "frames",
];

/** The API in one context. */
export function apiRouter(context: Context): Router {
  const served = operations.filter(({ isOn }) => isOn?.(context) ?? true);
  const { owns, answer } = routerOf(routesOf(served, context), published);
  return { owns, answer: async (request) => edrErrors(request.path, await answer(request)) };
}

export function routesOf(definitions: readonly OperationDefinition[], context: Context): RouteTable {
  const table: Record<string, RouteTable[string]> = {};
  for (const { path, method, endpoint } of definitions) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ":$1");
    table[pattern] = { ...table[pattern], [method]: endpoint(context) };
  }
  return table;
}

/** What names the page of each published operation in its address. */
export function operationSlugs(): string[] {
  return operations.flatMap(({ method, path, docs }) => (docs ? slugOf(method, path) : []));
}

/** The OpenAPI document of all published operations. @param now Weather clock that its examples are around, Unix seconds. */
export function apiDocument(version: string, now?: number): Json {
  return openapiDocument(version, operations, now);
}

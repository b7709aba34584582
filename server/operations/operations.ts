import type { Json } from "#lib/contract/described-api.ts";
import { openapiDocument } from "#lib/contract/openapi.ts";
import type { Context } from "#server/context.ts";
import { type Router, type RouteTable, routerOf } from "#server/http/router.ts";
import { files, map2d } from "./boxes.ts";
import {
  askConfirmation,
  calendar,
  channels,
  closeCalendar,
  confirmChannel,
  createChannel,
  deleteChannel,
  openCalendar,
  renewChannelSecret,
  testChannel,
  unsubscribeChannel,
  unsubscribePage,
} from "./channels.ts";
import type { OperationDefinition } from "./definition.ts";
import { edrErrors } from "./edr.ts";
import {
  edrApi,
  edrCollection,
  edrCollectionList,
  edrConformance,
  edrInstance,
  edrInstances,
  edrLanding,
  stormItem,
  stormItems,
} from "./edr-collections.ts";
import { grids } from "./edr-grid.ts";
import { positions, trajectories } from "./edr-points.ts";
import { edrTideLocation, edrTideLocations } from "./edr-tides.ts";
import { ensemble } from "./ensembles.ts";
import { fieldManifest, mapFrame, signedMapFrame } from "./frames.ts";
import { guestSession, redeemKey, requestKey } from "./keys.ts";
import { mcp } from "./mcp.ts";
import { opengribs } from "./opengribs.ts";
import { passageEvaluate, passageOptimise } from "./passages.ts";
import { point } from "./point.ts";
import { pointRuns } from "./point-runs.ts";
import { metOcean, metOceanAsync } from "./points.ts";
import { feeds, healthz, limits, metrics, openapi, readyz } from "./service.ts";
import { stormApproach, stormDanger, stormHistory, stormOutlooks, storms } from "./storms.ts";
import {
  cancelTask,
  deleteTask,
  task,
  taskEvents,
  taskRequest,
  userTasks,
  userTasksInState,
} from "./tasks.ts";
import { nearestTide, tideOfStation, tideStationList, tideView } from "./tides.ts";
import {
  alerts,
  changeWatch,
  createWatch,
  deleteWatch,
  readAlerts,
  testWatch,
  watch,
  watches,
} from "./watches.ts";
import { workability } from "./workability.ts";

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
  ensemble,
  map2d,
  files,
  passageEvaluate,
  passageOptimise,
  workability,
  storms,
  stormOutlooks,
  stormApproach,
  stormDanger,
  stormHistory,
  nearestTide,
  tideStationList,
  tideView,
  tideOfStation,
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
  edrTideLocations,
  edrTideLocation,
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
  ...opengribs,
  mcp,
  metrics,
];

/** Operations that every context has, whatever its settings. */
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
  "tides",
  "passages",
  "workability",
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
  const { log } = context;
  return routerOf(routesOf(served, context), { log, reserved: published, errorForm: edrErrors });
}

export function routesOf(definitions: readonly OperationDefinition[], context: Context): RouteTable {
  const table: Record<string, RouteTable[string]> = {};
  for (const { path, method, endpoint } of definitions) {
    const pattern = path.replaceAll(/\{(\w+)\}/g, ":$1");
    table[pattern] = { ...table[pattern], [method]: endpoint(context) };
  }
  return table;
}

/** The OpenAPI document of all published operations. @param now Weather clock that its examples are around, Unix seconds. */
export function apiDocument(version: string, now?: number): Json {
  return openapiDocument(version, operations, now);
}

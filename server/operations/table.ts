import { type RouteTable, routerOf } from "#server/http/router.ts";
import { fieldManifest } from "#server/operations/field-manifest.ts";
import { healthz, readyz } from "#server/operations/health.ts";
import { limits } from "#server/operations/limits.ts";
import { map2d } from "#server/operations/map-2d.ts";
import { mapFrame, signedMapFrame } from "#server/operations/map-frame.ts";
import { metOcean } from "#server/operations/met-ocean.ts";
import { metOceanAsync } from "#server/operations/met-ocean-async.ts";
import { metrics } from "#server/operations/metrics.ts";
import { openapi } from "#server/operations/openapi.ts";
import { stormApproach } from "#server/operations/storm-approach.ts";
import { stormDanger } from "#server/operations/storm-danger.ts";
import { stormHistory } from "#server/operations/storm-history.ts";
import { storms } from "#server/operations/storms.ts";
import { cancelTask, deleteTask, task, taskEvents, taskRequest } from "#server/operations/task.ts";
import { userTasks, userTasksInState } from "#server/operations/user-tasks.ts";

/** The whole API: path, method, operation. */
const table: RouteTable = {
  "/MetOcean": { POST: metOcean },
  "/MetOcean/async": { POST: metOceanAsync },
  "/2DMetOcean": { POST: map2d },
  "/2DMetOcean/manifest": { GET: fieldManifest },
  "/2DMetOcean/frames/:dataset/:run/:variable/:time/:level/:chunk": { GET: mapFrame },
  "/2DMetOcean/signed-frames/:grant/:dataset/:run/:variable/:time/:level/:chunk": { GET: signedMapFrame },
  "/task/:task_id": { GET: task, DELETE: deleteTask },
  "/task/:task_id/events": { GET: taskEvents },
  "/task/:task_id/request": { GET: taskRequest },
  "/user/tasks": { GET: userTasks },
  "/user/tasks/:state": { GET: userTasksInState },
  "/cancel_task/:task_id": { POST: cancelTask },
  "/storms": { GET: storms },
  "/storms/approach": { POST: stormApproach },
  "/storms/:id/danger": { GET: stormDanger },
  "/storms/:id/history": { GET: stormHistory },
  "/limits": { GET: limits },
  "/openapi.json": { GET: openapi },
  "/healthz": { GET: healthz },
  "/readyz": { GET: readyz },
  "/metrics": { GET: metrics },
};

/** Paths of the published contract: below them an unknown path is a JSON 404, never a page. */
const published = ["MetOcean", "2DMetOcean", "task", "user", "cancel_task", "storms", "frames"];

export const router = routerOf(table, published);

import { type RouteTable, routerOf } from "#server/http/router.ts";
import { fieldManifest } from "./field-manifest.ts";
import { healthz, readyz } from "./health.ts";
import { limits } from "./limits.ts";
import { map2d } from "./map-2d.ts";
import { mapFrame, signedMapFrame } from "./map-frame.ts";
import { metOcean } from "./met-ocean.ts";
import { metOceanAsync } from "./met-ocean-async.ts";
import { metrics } from "./metrics.ts";
import { openapi } from "./openapi.ts";
import { stormApproach } from "./storm-approach.ts";
import { stormDanger } from "./storm-danger.ts";
import { stormHistory } from "./storm-history.ts";
import { storms } from "./storms.ts";
import { cancelTask, deleteTask, task, taskEvents, taskRequest } from "./task.ts";
import { userTasks, userTasksInState } from "./user-tasks.ts";

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

import { pause } from "#clients/typescript/src/connect.ts";
import { taskOperations } from "#clients/typescript/src/tasks.ts";
import { serviceOf } from "./service.ts";

/** Operations of the published client on tasks. Who calls them checks the replies (`parseReply`). */
export const taskService = (key: string) => taskOperations(serviceOf(key), pause);

import { statusOperations } from "#clients/typescript/src/operations.ts";
import { serviceOf } from "./service.ts";

/** What the published client asks of the service itself. Who calls it checks the replies (`parseReply`). */
export const statusService = (key: string | undefined) => statusOperations(serviceOf(key));

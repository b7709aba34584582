import { statusOperations } from "#clients/typescript/src/status.ts";
import { serviceOf } from "./service.ts";

/** What the published client asks of the service itself. Its replies are not checked yet. */
export const statusService = (key: string | undefined) => statusOperations(serviceOf(key));

import { stormOperations } from "#clients/typescript/src/operations.ts";
import { serviceOf } from "./service.ts";

/** Operations of the published client on storms. Their replies are not checked yet. */
export const stormService = (key: string) => stormOperations(serviceOf(key));

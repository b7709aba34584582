import { pointOperations } from "#clients/typescript/src/points.ts";
import { serviceOf } from "./service.ts";

/** Operations of the published client on points. Their replies are not checked yet. */
export const pointService = (key: string) => pointOperations(serviceOf(key));

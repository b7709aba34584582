import { alertOperations, channelOperations, watchOperations } from "#clients/typescript/src/watches.ts";
import { serviceOf } from "./service.ts";

/** Operations of the published client on what a key's owner is told. Their replies are not checked yet. */
export const watchService = (key: string) => watchOperations(serviceOf(key));
export const alertService = (key: string) => alertOperations(serviceOf(key));
export const channelService = (key: string) => channelOperations(serviceOf(key));

import { alertOperations, channelOperations, watchOperations } from "@open-metocean/client/watches";
import { serviceOf } from "./service.ts";

/** Watch operations of the published client. Their replies are not validated yet. */
export const watchService = (key: string) => watchOperations(serviceOf(key));
export const alertService = (key: string) => alertOperations(serviceOf(key));
export const channelService = (key: string) => channelOperations(serviceOf(key));

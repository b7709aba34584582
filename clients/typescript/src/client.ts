import { type ClientOptions, connect, pause } from "./connect.ts";
import {
  fileOperations,
  passageOperations,
  statusOperations,
  stormOperations,
  tideOperations,
  workabilityOperations,
} from "./operations.ts";
import { boxOperations, pointOperations } from "./points.ts";
import { taskOperations } from "./tasks.ts";
import { alertOperations, channelOperations, watchOperations } from "./watches.ts";

export type Client = ReturnType<typeof createClient>;

/**
 * Creates a client with every operation of a service. Requests that are refused by a rate limit or an
 * overload are repeated as the options state.
 */
export function createClient(options: ClientOptions) {
  const service = connect(options);
  return {
    ...pointOperations(service),
    ...boxOperations(service),
    ...statusOperations(service),
    files: fileOperations(service),
    passages: passageOperations(service),
    workability: workabilityOperations(service),
    tasks: taskOperations(service, options.sleep ?? pause),
    storms: stormOperations(service),
    tides: tideOperations(service),
    watches: watchOperations(service),
    alerts: alertOperations(service),
    channels: channelOperations(service),
  };
}

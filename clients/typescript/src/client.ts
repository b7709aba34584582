import { boxOperations } from "./boxes.ts";
import { channelOperations } from "./channels.ts";
import { type ClientOptions, connect } from "./connect.ts";
import { passageOperations } from "./passages.ts";
import { pause } from "./pause.ts";
import { pointOperations } from "./points.ts";
import { statusOperations } from "./status.ts";
import { stormOperations } from "./storms.ts";
import { taskOperations } from "./tasks.ts";
import { alertOperations, watchOperations } from "./watches.ts";

export type Client = ReturnType<typeof createClient>;

/** Every operation of a service. Requests that a rate limit or an overload refuses are repeated as the options say. */
export function createClient(options: ClientOptions) {
  const service = connect(options);
  return {
    ...pointOperations(service),
    ...boxOperations(service),
    ...statusOperations(service),
    passages: passageOperations(service),
    tasks: taskOperations(service, options.sleep ?? pause),
    storms: stormOperations(service),
    watches: watchOperations(service),
    alerts: alertOperations(service),
    channels: channelOperations(service),
  };
}

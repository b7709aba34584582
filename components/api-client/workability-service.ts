import "./without-eval.ts";
import { type WorkabilityNow, workabilityOperations } from "@open-metocean/client/operations";
import { type WorkabilityRequest, workabilityResponse } from "#lib/contract/workability.ts";
import { parseReply } from "./parse-reply.ts";
import { serviceOf } from "./service.ts";
import { taskService } from "./services.ts";

type Area<Type extends string> = Required<Extract<WorkabilityNow["area"], { type: Type }>>;

export interface WorkabilityBody extends Pick<WorkabilityRequest, "from" | "to" | "limits" | "window_hours"> {
  step_hours: 1 | 3;
  area: Area<"point"> | Area<"box">;
  ensemble?: string;
}

export type WorkabilityResult = ReturnType<(typeof workabilityResponse)["parse"]>["result"];

/**
 * Requests how much of a time is within limits, either directly or by a task that is deleted when it ends.
 *
 * @param asTask The computation takes longer than a request may.
 * @param onProgress Receives the share of the task that is done, 0..1.
 * @throws ServiceError; the reason of the signal if it aborts.
 */
export async function askWorkability(
  key: string,
  body: WorkabilityBody,
  asTask: boolean,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<WorkabilityResult> {
  if (!asTask) {
    const reply = await workabilityOperations(serviceOf(key)).get(body, { signal });
    return parseReply(reply, workabilityResponse).result;
  }
  const task = await taskService(key).workability({ ...body, async: true });
  try {
    const reply = await task.result({ signal, onProgress: ({ progress }) => onProgress(progress) });
    return parseReply(reply, workabilityResponse).result;
  } finally {
    // The stored result would take space among the results of the key.
    task.delete().catch(() => undefined);
  }
}

import type { Service } from "#clients/typescript/src/request.ts";
import { apiFetch, ServiceError } from "./api-fetch.ts";
import { readJson } from "./parse-reply.ts";

/** What the operations of the published client send by in a page: with its key where it has one, and what is saved on the device. */
export const serviceOf = (key: string | undefined): Service => ({
  send: (path, request) => apiFetch(path, { ...request, key }),
  json: readSuccess,
});

/** @throws ServiceError for a body that is not JSON, and for a FAILURE envelope. */
async function readSuccess(reply: Response): Promise<unknown> {
  const body = await readJson(reply);
  const { status, error, task_id } = Object(body);
  if (status === "FAILURE" && typeof error === "string")
    throw new ServiceError(`${error} (task ${task_id})`, 200);
  return body;
}

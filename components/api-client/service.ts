import type { Service } from "#clients/typescript/src/request.ts";
import { apiFetch } from "./api-fetch.ts";
import { readJson } from "./parse-reply.ts";

/** What the operations of the published client send by in a page: with its key, and what is saved on the device. */
export const serviceOf = (key: string): Service => ({
  send: (path, request) => apiFetch(path, { ...request, key }),
  json: readJson,
});

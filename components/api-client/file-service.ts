import { type FileNow, fileOperations } from "#clients/typescript/src/operations.ts";
import { serviceOf } from "./service.ts";
import { taskService } from "./task-service.ts";

/** A file: its area, variables, times and format. */
export type FileBody = FileNow;

/** Operations of the published client on files. Their replies are not checked yet. */
export const fileService = (key: string) => fileOperations(serviceOf(key));

/** Makes a task of a file. @returns Its id. */
export const createFileTask = async (
  key: string,
  ...request: Parameters<ReturnType<typeof taskService>["files"]>
): Promise<string> => (await taskService(key).files(...request)).id;

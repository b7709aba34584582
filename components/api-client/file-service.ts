import { type FileNow, fileOperations } from "#clients/typescript/src/files.ts";
import { pause } from "#clients/typescript/src/pause.ts";
import { taskOperations } from "#clients/typescript/src/tasks.ts";
import { serviceOf } from "./service.ts";

/** A file: its area, variables, times and format. */
export type FileBody = FileNow;

/** Operations of the published client on files. Their replies are not checked yet. */
export const fileService = (key: string) => fileOperations(serviceOf(key));

/** Makes a task of a file. @returns Its id. */
export const createFileTask = async (
  key: string,
  ...request: Parameters<ReturnType<typeof taskOperations>["files"]>
): Promise<string> => (await taskOperations(serviceOf(key), pause).files(...request)).id;

import "#components/api-client/without-eval.ts";
import { pointLimits } from "#lib/contract/point.ts";
import { type ListProblems, PointListError } from "#lib/points/list-problem.ts";
import { columnsOfPoints, type ListedPoint, type PointColumns } from "#lib/points/point-list.ts";
import { type ReadList, readPointFile } from "#lib/points/read-file.ts";
import type { ReadOptions } from "#lib/points/read-table.ts";

export interface FileList extends Omit<ReadList, "points"> {
  count: number;
  /** Number of points with a time. */
  timed: number;
  /** The first points, with their names. */
  first: readonly ListedPoint[];
  /** All points; absent if there are more than a task may have. */
  columns?: PointColumns;
}

/** Message to the worker: bytes of a file, or pasted text. */
export interface ListRequest {
  content: ArrayBuffer | string;
  options: ReadOptions;
}

export type ListReply = { lists: FileList[] } | { problems: ListProblems };

const SHOWN = 3;

export async function readLists({ content, options }: ListRequest): Promise<ListReply> {
  try {
    const lists = await readPointFile(
      typeof content === "string" ? content : new Uint8Array(content),
      options,
    );
    return { lists: lists.map(fileList) };
  } catch (error) {
    if (error instanceof PointListError) return { problems: error.problems };
    throw error;
  }
}

/** A list with its points in columns. */
export function fileList({ points, ...list }: ReadList): FileList {
  const small = points.length <= pointLimits.async;
  return {
    ...list,
    count: points.length,
    timed: points.reduce((sum, { time }) => sum + (time === undefined ? 0 : 1), 0),
    first: points.slice(0, SHOWN),
    ...(small && { columns: columnsOfPoints(points) }),
  };
}

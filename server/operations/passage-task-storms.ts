import type { PassageRequest } from "#lib/contract/passage.ts";
import { knownDangerArea } from "#lib/storms/danger.ts";
import type { KnownStorms } from "#server/metocean/passages.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import type { TaskStorms } from "./task-handler.ts";

/** The storms that a task of passages looks at, and those of them that its next pieces need. @throws ProcessingError where they are not known. */
export function taskStorms(
  { storms: provider, storm_method: method }: Pick<PassageRequest, "storms" | "storm_method">,
  published: TaskStorms | undefined,
): { known?: KnownStorms; noted?: TaskStorms } {
  if (!provider) return {};
  const entries = published?.[provider];
  if (!entries)
    throw new ProcessingError(
      `The storms of ${provider} are not known at the moment, so that the passage cannot be held against them. Please try again later.`,
    );
  return {
    known: { entries, areaOf: (entry) => knownDangerArea(entry, method) },
    noted: { [provider]: entries },
  };
}

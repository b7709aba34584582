import { stormProviders } from "#lib/contract/storm-providers.ts";
import type { TaskStorms } from "#server/operations/task-handler.ts";
import type { StormService } from "#server/storms/storm-service.ts";
import type { ClaimedTask } from "#server/tasks/queue.ts";

const withStorms: readonly string[] = ["passages/evaluate", "passages/optimise", "files"];

/**
 * What a piece needs to know of storms: those that are published, for the first piece of passages and files, which notes what
 * the others need. The threads of tasks have no database.
 */
export async function stormsFor(
  { kind, pieces }: Pick<ClaimedTask, "kind" | "pieces">,
  storms: Pick<StormService, "published">,
): Promise<TaskStorms | undefined> {
  if (!withStorms.includes(kind) || pieces.length > 0) return undefined;
  const found: TaskStorms = {};
  for (const provider of stormProviders) {
    const published = await storms.published(provider);
    if (published) found[provider] = published.entries;
  }
  return found;
}

import type { ChannelsWords } from "./en/channels.ts";
import type { DocsWords } from "./en/docs.ts";
import type { DownloadWords } from "./en/download.ts";
import type { ListsWords } from "./en/lists.ts";
import type { PassageWords } from "./en/passage.ts";
import type { StatusWords } from "./en/status.ts";
import type { StormCardWords } from "./en/storm-card.ts";
import type { TasksWords } from "./en/tasks.ts";
import type { VerdictWords } from "./en/verdict.ts";
import type { WatchesWords } from "./en/watches.ts";
import type { Words } from "./en.ts";

/** Parts whose words come with what they stand in, after the first view of the map (components/words/late-words.ts). */
export interface LateWords {
  channels: ChannelsWords;
  docs: DocsWords;
  download: DownloadWords;
  lists: ListsWords;
  passage: PassageWords;
  status: StatusWords;
  stormCard: StormCardWords;
  tasks: TasksWords;
  verdict: VerdictWords;
  watches: WatchesWords;
}

export type LatePart = keyof LateWords;

/** The words of every page, with those of some late parts. A function that reads one says so in the type of its `words` or `zone`. */
export type WordsWith<P extends LatePart = never> = Words & Pick<LateWords, P>;

import { useEffect, useState } from "react";
import { useWords } from "#components/words/words-context.ts";
import type { WatchesWords } from "#lib/words/en/watches.ts";
import { loadWatchWords } from "#lib/words/watch-words.ts";

const RETRY_MS = 5_000;

/** The words about watches, which come after the page; undefined until then. */
export function useWatchWords(): WatchesWords | undefined {
  const { language } = useWords();
  const [loaded, setLoaded] = useState<{ language: string; words: WatchesWords }>();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let isOver = false;
    const load = () =>
      void loadWatchWords(language).then(
        (words) => {
          if (!isOver) setLoaded({ language, words });
        },
        () => {
          if (!isOver) timer = setTimeout(load, RETRY_MS);
        },
      );
    load();
    return () => {
      isOver = true;
      clearTimeout(timer);
    };
  }, [language]);
  return loaded?.language === language ? loaded.words : undefined;
}

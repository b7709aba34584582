import type { Verdict } from "#lib/passage/verdict.ts";
import { verdictMarks } from "./passage-format.ts";
import { usePassageWords } from "./passage-words.ts";

/** GO, CAUTION or NO: by word, mark and colour. */
export function VerdictBadge({ verdict }: { verdict: Verdict }) {
  const { outlook } = usePassageWords();
  return (
    <span className="passage-verdict" data-verdict={verdict}>
      <span aria-hidden="true">{verdictMarks[verdict]} </span>
      {outlook.verdicts[verdict]}
    </span>
  );
}

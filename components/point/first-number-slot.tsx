import { escapeHtml } from "./escape-html.ts";
import type { FirstNumber, FirstNumberPart } from "./first-number.ts";

interface Props {
  part: FirstNumberPart;
  /** undefined: only the hint, unless the script of the page has written something else here. */
  first: FirstNumber | undefined;
  /** How to choose a place. */
  hint: string;
}

/**
 * Where a script of the page writes the first conditions before the page is alive. React takes over what is written as it
 * is: it compares no HTML that it was given as text.
 */
export function FirstNumberSlot({ part, first, hint }: Props) {
  const html = first?.html[part] ?? `<p class="text-muted text-sm">${escapeHtml(hint)}</p>`;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: escaped; React hydrates nothing else that a script may have changed
  return <div data-first-number={part} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />;
}

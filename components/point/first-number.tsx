import { useEffect } from "react";
import { useView } from "#components/view-state/view-context.tsx";
import type { Place } from "#components/view-state/view-url.ts";
import { escapeMarkup } from "#lib/markup.ts";
import type { PointSample } from "./point-queries.ts";

/** Conditions that a script of the page has written into it before the page was alive (first-number-html.ts). */
export interface FirstNumber {
  place: Place;
  /** Unix seconds. */
  time: number;
  html: Record<FirstNumberPart, string>;
}

export type FirstNumberPart = "peek" | "panel";

declare global {
  /** null: the page has values of its own, or knows why there are none. */
  var firstNumber: FirstNumber | null | undefined;
}

/** What the page was given before it was alive, until it has values of its own. @param sample undefined until it is known. */
export function useFirstNumber(sample: PointSample | undefined): FirstNumber | undefined {
  const { p } = useView().view;
  const first = globalThis.firstNumber;
  if (!first || !p || p.latitude !== first.place.latitude || p.longitude !== first.place.longitude)
    return undefined;
  return sample === undefined || sample.time === first.time ? first : undefined;
}

export function useEndOfFirstNumber(isAnswered: boolean): void {
  useEffect(() => {
    if (isAnswered) globalThis.firstNumber = null;
  }, [isAnswered]);
}

interface Props {
  part: FirstNumberPart;
  /** undefined: only the hint, unless the script of the page has written something else here. */
  first: FirstNumber | undefined;
  hint: string;
}

/**
 * Where a script of the page writes the first conditions before the page is alive. React takes over what is written as it
 * is: it compares no HTML that it was given as text.
 */
export function FirstNumberSlot({ part, first, hint }: Props) {
  const html = first?.html[part] ?? `<p class="text-muted text-sm">${escapeMarkup(hint)}</p>`;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: escaped; React hydrates nothing else that a script may have changed
  return <div data-first-number={part} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />;
}

import { useEffect } from "react";
import { useView } from "#components/view-state/view-context.tsx";
import type { Place } from "#components/view-state/view-url.ts";
import { escapeMarkup } from "#lib/markup.ts";
import type { PointSample } from "./point-queries.ts";

/** Conditions that a script of the page has written into it before hydration (first-number-html.ts). */
export interface FirstNumber {
  place: Place;
  /** Unix seconds. */
  time: number;
  html: Record<FirstNumberPart, string>;
}

export type FirstNumberPart = "peek" | "panel";

declare global {
  /** null means that the page has its own values, or knows why there are none. */
  var firstNumber: FirstNumber | null | undefined;
}

/**
 * The conditions written before hydration, until the page has its own values. @param sample undefined until
 * it is known.
 */
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
  /** undefined renders the hint only, unless the page's script has written something else here. */
  first: FirstNumber | undefined;
  hint: string;
}

/**
 * The place where a script of the page writes the first conditions before hydration. React adopts the content
 * unchanged, because it does not compare HTML that was given as text.
 */
export function FirstNumberSlot({ part, first, hint }: Props) {
  const html = first?.html[part] ?? `<p class="text-muted text-sm">${escapeMarkup(hint)}</p>`;
  // biome-ignore lint/security/noDangerouslySetInnerHtml: escaped; React hydrates nothing else that a script may have changed
  return <div data-first-number={part} suppressHydrationWarning dangerouslySetInnerHTML={{ __html: html }} />;
}

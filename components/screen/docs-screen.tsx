"use client";

import { type ReactNode, useEffect, useState } from "react";
import { type NavGroup, OperationsNav } from "#components/docs/operations-nav.tsx";
import { preloadWords } from "#components/words/late-words.ts";
import { TextPage } from "./page-shell.tsx";

preloadWords("docs");

interface Props {
  groups: readonly NavGroup[];
  /** The displayed operation; undefined on the overview. */
  current?: string;
  children: ReactNode;
}

/** The pages of the API reference, which are rendered on the server. */
export function DocsScreen({ groups, current, children }: Props) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    // The breakpoint of docs.css. Where the list fits beside the page, nothing else would close it.
    const wide = window.matchMedia("(width >= 60rem)");
    const close = () => setOpen(false);
    wide.addEventListener("change", close);
    return () => wide.removeEventListener("change", close);
  }, [open]);
  return (
    <TextPage current="/docs" isKeyOptional>
      <div className="grid flex-1 grid-cols-[17.5rem_minmax(0,1fr)] items-start max-[60rem]:block">
        <OperationsNav groups={groups} current={current} open={open} setOpen={setOpen} />
        {/* The open list covers the page, so the page must not receive focus or touches. */}
        <div className="contents" inert={open}>
          {children}
        </div>
      </div>
    </TextPage>
  );
}

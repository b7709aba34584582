"use client";

import { type ReactNode, useEffect, useState } from "react";
import { type NavGroup, OperationsNav } from "#components/docs/operations-nav.tsx";
import { preloadWords } from "#components/words/late-words.ts";
import { TextPage } from "./page-shell.tsx";

preloadWords("docs");

interface Props {
  groups: readonly NavGroup[];
  /** The operation that is shown; undefined on the overview. */
  current?: string;
  children: ReactNode;
}

/** The pages of the API reference, which the server renders. */
export function DocsScreen({ groups, current, children }: Props) {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    if (!open) return;
    // As in docs.css. Where there is room for the list beside the page, nothing would close it.
    const wide = window.matchMedia("(width >= 60rem)");
    const close = () => setOpen(false);
    wide.addEventListener("change", close);
    return () => wide.removeEventListener("change", close);
  }, [open]);
  return (
    <TextPage current="/docs" isKeyOptional>
      <div className="grid flex-1 grid-cols-[17.5rem_minmax(0,1fr)] items-start max-[60rem]:block">
        <OperationsNav groups={groups} current={current} open={open} setOpen={setOpen} />
        {/* The list covers the page: what nobody sees is not reached by a key or a finger either. */}
        <div className="contents" inert={open}>
          {children}
        </div>
      </div>
    </TextPage>
  );
}

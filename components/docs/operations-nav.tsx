"use client";

import { Icon } from "#components/ui/icon.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { OperationGroup } from "#lib/contract/described-api.ts";

export interface NavGroup {
  group: OperationGroup;
  operations: readonly { slug: string; method: string; path: string }[];
}

interface Props {
  groups: readonly NavGroup[];
  /** The displayed operation; undefined on the overview. */
  current?: string;
  /** Whether the list is open on screens where a button opens it. */
  open: boolean;
  setOpen(open: boolean): void;
}

/**
 * All operations by group: beside the page on wide screens, elsewhere behind a button that opens the list
 * over the page.
 */
export function OperationsNav({ groups, current, open, setOpen }: Props) {
  const { docs } = useWords("docs");
  const shown = groups.flatMap(({ operations }) => operations).find(({ slug }) => slug === current);
  return (
    <nav
      aria-label={docs.operations}
      className="docs-side"
      data-open={open}
      onKeyDown={({ key }) => {
        if (key === "Escape") setOpen(false);
      }}
    >
      <a className="docs-skip" href="#operation">
        {docs.skip}
      </a>
      <button
        type="button"
        className="hidden max-[60rem]:flex max-[60rem]:min-h-11 max-[60rem]:w-full max-[60rem]:items-center max-[60rem]:gap-2.5 max-[60rem]:px-3 max-[60rem]:text-[0.875rem] max-[60rem]:focus-visible:-outline-offset-3"
        aria-expanded={open}
        aria-controls="operations"
        onClick={() => setOpen(!open)}
      >
        <Icon name="menu" />
        <span>{docs.operations}</span>
        {shown ? (
          <span className="docs-here" lang="en">
            {shown.method} {shown.path}
          </span>
        ) : null}
      </button>
      <div id="operations" className="docs-nav">
        <NavLink href="/docs" isCurrent={current === undefined}>
          {docs.overview}
        </NavLink>
        {groups.map(({ group, operations }) => (
          <section key={group} aria-labelledby={`group-${group}`}>
            <h2 id={`group-${group}`} className="docs-group">
              {docs.groups[group]}
            </h2>
            <ul>
              {operations.map(({ slug, method, path }) => (
                <li key={slug} lang="en">
                  <NavLink href={`/docs/${slug}`} isCurrent={slug === current}>
                    <Method name={method} /> <span className="docs-path">{path}</span>
                  </NavLink>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </div>
    </nav>
  );
}

function NavLink({
  href,
  isCurrent,
  children,
}: {
  href: string;
  isCurrent: boolean;
  children: React.ReactNode;
}) {
  return (
    <a
      href={href}
      className="flex min-h-7 items-baseline gap-2 rounded-md px-2 py-1 text-[0.8125rem] leading-5 hover:bg-surface aria-[current]:bg-surface aria-[current]:font-semibold aria-[current]:shadow-[inset_2px_0_var(--accent)] max-[60rem]:min-h-11 max-[60rem]:items-center"
      aria-current={isCurrent ? "page" : undefined}
    >
      {children}
    </a>
  );
}

/** Badge of a method, such as `GET`. */
export function Method({ name }: { name: string }) {
  return (
    <span
      className="min-w-11 flex-none font-mono font-semibold text-[0.6875rem] text-accent data-[method=DELETE]:text-text"
      data-method={name}
    >
      {name}
    </span>
  );
}

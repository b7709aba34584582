import { type ReactNode, useEffect, useState } from "react";
import { ApiKeyProvider } from "#components/api-client/api-key.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { useTheme } from "#components/view-state/use-theme.ts";
import { useWords } from "#components/words/words-context.ts";
import { SERVICE_NAME } from "#lib/service-name.ts";
import { ConnectionNotice } from "./connection-notice.tsx";
import { KeyPrompt } from "./key-prompt.tsx";
import { KeyNotice, KeyStatus } from "./key-status.tsx";
import { StationSearchProvider } from "./station-search-provider.tsx";

const focusable =
  "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex]";

/**
 * Keeps the focus in the page. A control may be removed or disabled by its own action, and browsers then
 * restart at the top of the document. The focus moves to the control beside it, or to its container. A click
 * on plain text still removes the focus.
 */
function useKeptFocus(): void {
  useEffect(() => {
    /** The element that last had the focus, followed by its containers from the inside outward. */
    let path: HTMLElement[] = [];
    let frame: number | undefined;
    const note = (event: FocusEvent) => {
      path = event.composedPath().filter((one): one is HTMLElement => one instanceof HTMLElement);
      // The body and the document are not included.
      path = path.filter(({ parentElement }) => document.body.contains(parentElement));
    };
    const leave = ({ target }: PointerEvent) => {
      if (target instanceof Element && !target.closest(focusable)) path = [];
    };
    const check = () => {
      frame = undefined;
      const { activeElement: focused, body } = document;
      // The browser removes the focus from a disabled control after this frame.
      if (focused === null || focused === body || focused.matches(":disabled")) moveFocus(path);
    };
    // The check waits for the next frame, because code that opened something has moved the focus by then.
    const observer = new MutationObserver(() => {
      if (path.length > 0) frame ??= requestAnimationFrame(check);
    });
    const attributeFilter = ["disabled", "hidden", "inert"];
    observer.observe(document.body, { childList: true, subtree: true, attributeFilter });
    document.addEventListener("focusin", note);
    document.addEventListener("pointerdown", leave);
    return () => {
      observer.disconnect();
      if (frame !== undefined) cancelAnimationFrame(frame);
      document.removeEventListener("focusin", note);
      document.removeEventListener("pointerdown", leave);
    };
  }, []);
}

/**
 * Moves the focus to the nearest element that can have it. @param path The element that had it, followed by
 * its containers from the inside outward.
 */
function moveFocus([last, ...containers]: readonly HTMLElement[]): void {
  const target = (last && isShown(last) && enabledBeside(last)) || containers.find(isShown);
  if (!target) return;
  if (!target.matches(focusable)) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** The control itself, or one beside it if it is disabled. */
function enabledBeside(control: HTMLElement): HTMLElement | undefined {
  if (control.matches(focusable)) return control;
  return [...(control.parentElement?.querySelectorAll<HTMLElement>(focusable) ?? [])].find(isShown);
}

function isShown(element: HTMLElement): boolean {
  return element.isConnected && element.getClientRects().length > 0;
}

/** The pages, as listed in the menu and in the top bar of a wide text page. */
const links = [
  { href: "/", title: "map" },
  { href: "/tasks", title: "tasks" },
  { href: "/inbox", title: "inbox" },
  { href: "/status", title: "feeds" },
  { href: "/docs", title: "docs" },
] as const;

interface Props {
  /** The current page. */
  current: (typeof links)[number]["href"];
  /** `map`: regions that fill the window. `text`: a page that scrolls. */
  layout: "map" | "text";
  /** Content of the top bar on the left; `actions` is on the right. */
  tools?: ReactNode;
  actions?: ReactNode;
  /** Tells tests that nothing is being loaded. */
  settled?: boolean;
  children: ReactNode;
}

/** The frame of all pages: name, links to the other pages, and on text pages the disclaimer. */
export function PageShell({ current, layout, tools, actions, children, settled }: Props) {
  useKeptFocus();
  const { screen } = useWords();
  const name = "whitespace-nowrap font-semibold";
  return (
    <div className={layout === "map" ? "screen" : "page-screen"} data-settled={settled}>
      <header className="surface top-bar">
        {layout === "map" ? (
          <h1 className={`${name} max-md:sr-only`}>{SERVICE_NAME}</h1>
        ) : (
          <p className={name}>{SERVICE_NAME}</p>
        )}
        {tools}
        <span className={layout === "map" ? "flex-1 max-md:hidden" : "flex-1"} />
        {layout === "text" ? <PageLinks className="flex gap-1 max-md:hidden" current={current} /> : null}
        {actions}
        {layout === "text" ? (
          <Menu className="md:hidden" align="right" label={screen.menu} button={<MenuIcon />}>
            <PageLinks className="flex flex-col" current={current} />
          </Menu>
        ) : null}
      </header>
      {layout === "text" ? <ConnectionNotice /> : null}
      {children}
      {layout === "text" ? <FootLine /> : null}
    </div>
  );
}

export function MenuIcon() {
  return <Icon name="menu" className="mx-2.5 size-5" />;
}

interface LinksProps extends Pick<Props, "current"> {
  className: string;
  /** Number of unread alerts, shown beside the inbox link. */
  unread?: string | undefined;
}

/** Links to the pages; the current page is not a link. */
export function PageLinks({ className, current, unread }: LinksProps) {
  const { pages } = useWords().screen;
  return (
    <nav aria-label={pages.label} className={className}>
      {links.map(({ href, title }) =>
        href === current ? (
          <span key={href} aria-current="page" className="nav-link">
            {pages[title]}
          </span>
        ) : (
          <a key={href} href={href} className="nav-link">
            {pages[title]}
            {title === "inbox" && unread !== undefined ? (
              <>
                {" "}
                <span className="pill ms-2" data-mood="watch">
                  {unread}
                </span>
              </>
            ) : null}
          </a>
        ),
      )}
    </nav>
  );
}

/** The last line of a text page: the disclaimer. */
function FootLine() {
  const { disclaimer } = useWords().screen;
  const [open, setOpen] = useState(false);
  return (
    <footer className="surface sticky bottom-0 flex min-h-7 items-center border-t border-t-line px-4 text-[0.75rem]">
      <button type="button" className="font-semibold underline" onClick={() => setOpen(true)}>
        {disclaimer.sentence}
      </button>
      {open ? (
        <Dialog title={disclaimer.title} onClose={() => setOpen(false)}>
          <p className="text-sm leading-relaxed">{disclaimer.text}</p>
        </Dialog>
      ) : null}
    </footer>
  );
}

interface TextPageProps {
  current: Parameters<typeof PageShell>[0]["current"];
  /** Part of the page works without a key. */
  isKeyOptional?: boolean;
  children: ReactNode;
}

/** A text page, which is every page other than the map. */
export function TextPage({ current, isKeyOptional = false, children }: TextPageProps) {
  useTheme(null);
  return (
    <ApiKeyProvider>
      <StationSearchProvider>
        <PageShell current={current} layout="text" actions={<KeyStatus />}>
          <KeyNotice />
          {children}
          <KeyPrompt optional={isKeyOptional} />
        </PageShell>
      </StationSearchProvider>
    </ApiKeyProvider>
  );
}

import { Fragment, type ReactNode, useEffect, useState } from "react";
import { ApiKeyProvider } from "#components/api-client/api-key.tsx";
import { Dialog } from "#components/ui/dialog.tsx";
import { useTheme } from "#components/view-state/use-theme.ts";
import { useWords } from "#components/words/words-context.ts";
import { SERVICE_NAME } from "#lib/service-name.ts";
import { ConnectionNotice } from "./connection-notice.tsx";
import { STORMS_FRAGMENT } from "./details-tab.ts";
import { KeyPrompt } from "./key-prompt.tsx";
import { KeyNotice, KeyStatus } from "./key-status.tsx";

const focusable =
  "a[href], button:enabled, input:enabled, select:enabled, textarea:enabled, summary, [tabindex]";

/**
 * Keeps the focus in the page: what had it may be removed or disabled by its own action, and the browser then starts again
 * at the top of the document. It goes to the control beside it, or to what contained it. A click on plain text takes it
 * away, as everywhere.
 */
function useKeptFocus(): void {
  useEffect(() => {
    /** What had the focus last, and what contained it, from the inside. */
    let path: HTMLElement[] = [];
    let frame: number | undefined;
    const note = (event: FocusEvent) => {
      path = event.composedPath().filter((one): one is HTMLElement => one instanceof HTMLElement);
      // Without the body and the document.
      path = path.filter(({ parentElement }) => document.body.contains(parentElement));
    };
    const leave = ({ target }: PointerEvent) => {
      if (target instanceof Element && !target.closest(focusable)) path = [];
    };
    const check = () => {
      frame = undefined;
      const { activeElement: focused, body } = document;
      // The browser takes the focus from a disabled control after this frame.
      if (focused === null || focused === body || focused.matches(":disabled")) moveFocus(path);
    };
    // In the next frame: who opened something has moved the focus by then.
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

/** Moves the focus to the nearest that can have it. @param path What had it, and what contained that, from the inside. */
function moveFocus([last, ...containers]: readonly HTMLElement[]): void {
  const target = (last && isShown(last) && enabledBeside(last)) || containers.find(isShown);
  if (!target) return;
  if (!target.matches(focusable)) target.tabIndex = -1;
  target.focus({ preventScroll: true });
}

/** A control itself, or one beside it where it is disabled. */
function enabledBeside(control: HTMLElement): HTMLElement | undefined {
  if (control.matches(focusable)) return control;
  return [...(control.parentElement?.querySelectorAll<HTMLElement>(focusable) ?? [])].find(isShown);
}

function isShown(element: HTMLElement): boolean {
  return element.isConnected && element.getClientRects().length > 0;
}

/** The pages. Each row is a link in the top bar, and in the bar at the bottom of a phone. */
const links = [
  { href: "/", title: "map" },
  { href: "/tasks", title: "tasks" },
  { href: "/inbox", title: "inbox" },
  { href: "/status", title: "feeds" },
  { href: "/docs", title: "docs" },
] as const;

interface Props {
  /** The page that is open. */
  current: (typeof links)[number]["href"];
  /** Map: regions that fill the window. Text: a page that scrolls. */
  layout: "map" | "text";
  /** In the top bar, left and right of the links. */
  tools?: ReactNode;
  actions?: ReactNode;
  /** In the last line: where the field comes from; position and value under the cursor. */
  provenance?: ReactNode;
  readout?: ReactNode;
  /** Storms in the bar at the bottom of a phone: how many, and what opens their list on this page. */
  storms?: { count: number; onOpen(): void };
  /** The data shown is invented. */
  synthetic?: boolean;
  /** For tests: nothing is being loaded. */
  settled?: boolean;
  children: ReactNode;
}

/** What all pages have around their content: name, links to the other pages, disclaimer. */
export function PageShell(props: Props) {
  const { current, layout, tools, actions, children, settled, storms, ...foot } = props;
  useKeptFocus();
  const name = "whitespace-nowrap font-semibold max-md:text-sm";
  return (
    <div className={layout === "map" ? "screen" : "page-screen"} data-settled={settled}>
      <header className="surface top-bar">
        {layout === "map" ? (
          <h1 className={`${name} max-[24rem]:sr-only`}>{SERVICE_NAME}</h1>
        ) : (
          <p className={name}>{SERVICE_NAME}</p>
        )}
        {tools}
        {/* On a phone without a gap of its own: the name of a layer needs the room. */}
        <span className="flex-1 max-md:-ml-2" />
        <NavLinks className="flex gap-1 max-md:hidden" current={current} hides={layout === "map"} />
        {actions}
      </header>
      {layout === "text" ? <ConnectionNotice /> : null}
      {children}
      <FootLine {...foot} />
      <NavLinks className="surface bottom-nav" current={current} hides={layout === "map"}>
        <StormsItem {...storms} />
      </NavLinks>
    </div>
  );
}

interface NavProps extends Pick<Props, "current"> {
  className: string;
  /** The inbox is in a menu, for lack of room, unless it is the page that is open. */
  hides?: boolean;
  /** After the first link. */
  children?: ReactNode;
}

function NavLinks({ className, current, hides, children }: NavProps) {
  const { pages } = useWords().screen;
  const shown = links.filter(({ href }) => !hides || href !== "/inbox" || href === current);
  return (
    <nav aria-label={pages.label} className={className}>
      {shown.map(({ href, title }, index) => (
        <Fragment key={href}>
          {href === current ? (
            <span aria-current="page" className="nav-link">
              {pages[title]}
            </span>
          ) : (
            <a href={href} className="nav-link">
              {pages[title]}
            </a>
          )}
          {index === 0 ? children : null}
        </Fragment>
      ))}
    </nav>
  );
}

/** A button on the map, and on other pages a link to it. */
function StormsItem({ count = 0, onOpen }: Partial<NonNullable<Props["storms"]>>) {
  const title = useWords().screen.pages.storms({ count });
  return onOpen ? (
    <button type="button" className="nav-link" onClick={onOpen}>
      {title}
    </button>
  ) : (
    <a href={`/${STORMS_FRAGMENT}`} className="nav-link">
      {title}
    </a>
  );
}

/** The last line of a page: disclaimer, origin of the data, value under the cursor. */
function FootLine({ synthetic, provenance, readout }: Pick<Props, "synthetic" | "provenance" | "readout">) {
  const { disclaimer } = useWords().screen;
  const [open, setOpen] = useState(false);
  return (
    <footer className="surface foot-line">
      <button type="button" className="shrink-0 font-semibold underline" onClick={() => setOpen(true)}>
        {disclaimer.sentence}
      </button>
      <div className="min-w-0 flex-1">{provenance}</div>
      {readout}
      {open ? (
        <Dialog title={disclaimer.title} onClose={() => setOpen(false)}>
          <div className="space-y-3 text-sm leading-relaxed">
            <p>{disclaimer.text}</p>
            {synthetic ? (
              <p>
                <strong>{disclaimer.invented}</strong>
              </p>
            ) : null}
          </div>
        </Dialog>
      ) : null}
    </footer>
  );
}

interface TextPageProps {
  current: Parameters<typeof PageShell>[0]["current"];
  /** The page shows something without a key. */
  isKeyOptional?: boolean;
  children: ReactNode;
}

/** A page of text: all but the map. */
export function TextPage({ current, isKeyOptional = false, children }: TextPageProps) {
  useTheme(null);
  return (
    <ApiKeyProvider>
      <PageShell current={current} layout="text" actions={<KeyStatus />}>
        <KeyNotice />
        {children}
        <KeyPrompt optional={isKeyOptional} />
      </PageShell>
    </ApiKeyProvider>
  );
}

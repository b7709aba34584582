import { type ReactNode, useEffect, useId, useRef } from "react";
import { useWords } from "#components/words/words-context.ts";
import { Icon } from "./icon.tsx";

interface Props {
  title: string;
  /** Without it the dialog stays open until it is unmounted. */
  onClose?(): void;
  /** The dialog is hidden to reveal what is behind it, and comes back unchanged. */
  hidden?: boolean;
  /** For content that is compared side by side; `full` has the width of the window. */
  wide?: boolean | "full";
  /** Controls in the line of the title, below it if the window is narrow. */
  tools?: ReactNode;
  /** In a wide window the map stays visible beside it. */
  beside?: boolean;
  children: ReactNode;
}

const widths: Readonly<Record<string, string>> = {
  false: "w-[min(36rem,calc(100vw-2rem))]",
  true: "w-[min(56rem,calc(100vw-2rem))]",
  full: "w-[calc(100vw-2rem)] max-w-full flex-col open:flex max-md:size-full max-md:max-h-full! max-md:rounded-none max-md:p-3 [@media(height<32rem)]:p-3",
};

/** A modal dialog; focus moves into it, and back when it closes. */
export function Dialog({ title, onClose, hidden = false, wide, tools, beside, children }: Props) {
  const { ui } = useWords();
  const dialog = useRef<HTMLDialogElement>(null);
  const heading = useId();
  const wasHidden = useRef(false);
  useEffect(() => {
    const before = document.activeElement;
    const shown = dialog.current;
    shown?.showModal();
    return () => {
      shown?.close();
      // The browser restores the focus only while the dialog is still in the document.
      if (before instanceof HTMLElement && before !== document.body && before.isConnected)
        return before.focus();
      // The dialog was present when the page opened, or its opener no longer exists.
      const main = document.querySelector("main");
      if (!main) return;
      main.tabIndex = -1;
      main.focus({ preventScroll: true });
    };
  }, []);
  useEffect(() => {
    const shown = dialog.current;
    if (!shown || hidden === wasHidden.current) return;
    wasHidden.current = hidden;
    if (hidden) return shown.close();
    shown.showModal();
    shown.querySelector<HTMLElement>("[data-resumes]")?.focus();
  }, [hidden]);
  return (
    <dialog
      ref={dialog}
      aria-labelledby={heading}
      onCancel={(event) => {
        event.preventDefault();
        onClose?.();
      }}
      className={`surface m-auto max-h-[85dvh] [@media(height<32rem)]:max-h-[calc(100dvh-1rem)] ${widths[String(wide ?? false)]} rounded-xl border border-line p-5 shadow-xl backdrop:bg-black/50 ${beside ? "beside-map lg:mr-4 lg:backdrop:bg-black/10" : ""}`}
    >
      <div className="mb-3 flex flex-wrap items-center gap-x-4 gap-y-1">
        <h2 id={heading} className="min-w-0 flex-1 font-semibold text-lg">
          {title}
        </h2>
        {tools ? (
          <div className="flex flex-wrap items-center gap-2 max-sm:order-1 max-sm:w-full">{tools}</div>
        ) : null}
        {onClose ? (
          <button type="button" className="button" aria-label={ui.close} onClick={onClose}>
            <Icon name="close" />
          </button>
        ) : null}
      </div>
      {children}
    </dialog>
  );
}

import { type ReactNode, useEffect, useId, useRef, useState } from "react";

interface Props {
  /** Name of the button, where its content is an icon. */
  label?: string;
  button: ReactNode;
  /** Edge of the button that the sheet is aligned to. */
  align?: "left" | "right";
  className?: string;
  children: ReactNode | ((close: () => void) => ReactNode);
}

/** A button with a small sheet below it; Escape, a click elsewhere and moving the focus away close it. */
export function Menu({ label, button, align = "left", className = "", children }: Props) {
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const sheet = useId();
  useEffect(() => {
    if (!open) return;
    const leave = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener("pointerdown", leave);
    document.addEventListener("focusin", leave);
    return () => {
      document.removeEventListener("pointerdown", leave);
      document.removeEventListener("focusin", leave);
    };
  }, [open]);
  const close = () => {
    setOpen(false);
    opener.current?.focus();
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape belongs to the whole sheet, not to one control
    <div
      ref={root}
      className={`relative ${className}`}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !open) return;
        event.stopPropagation();
        close();
      }}
    >
      <button
        ref={opener}
        type="button"
        className="button"
        aria-label={label}
        aria-expanded={open}
        aria-controls={open ? sheet : undefined}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {open ? (
        <div id={sheet} className={`menu surface ${align === "right" ? "right-0" : "left-0"}`}>
          {typeof children === "function" ? children(close) : children}
        </div>
      ) : null}
    </div>
  );
}

import { type ReactNode, useEffect, useId, useLayoutEffect, useRef, useState } from "react";

/** Edges of a box, CSS pixels from the top left of the window. */
interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}

interface Size {
  width: number;
  height: number;
}

/** Gap between a sheet and its button, and margin between a sheet and the edge of the window, CSS pixels. */
const GAP = 6;
const MARGIN = 8;

/**
 * Position of a menu's sheet: below its button, or above it if there is more space. It always lies within the
 * window; a sheet that is higher than the available space scrolls.
 *
 * @param window Its `top` is the lower edge of the top bar, which sheets do not cover.
 * @param sheet Its size without any limit of its height.
 * @param align Edge of the button to which the sheet is aligned.
 */
export function sheetPlace(
  opener: Box,
  sheet: Size,
  window: Size & { top: number },
  align: "left" | "right",
): { left: number; top: number; maxHeight: number } {
  const below = window.height - MARGIN - (opener.bottom + GAP);
  const above = opener.top - GAP - MARGIN - window.top;
  const isBelow = sheet.height <= below || below >= above;
  const maxHeight = Math.max(0, isBelow ? below : above);
  const height = Math.min(sheet.height, maxHeight);
  const aligned = align === "left" ? opener.left : opener.right - sheet.width;
  return {
    left: Math.max(MARGIN, Math.min(aligned, window.width - MARGIN - sheet.width)),
    top: isBelow ? opener.bottom + GAP : opener.top - GAP - height,
    maxHeight,
  };
}

interface Props {
  /** Id of the button. */
  id?: string;
  /** Name of the button if its content is an icon. */
  label?: string;
  button: ReactNode;
  /** Edge of the button to which the sheet is aligned. */
  align?: "left" | "right";
  className?: string;
  /** The button has no frame. */
  plain?: boolean;
  /** Opening the menu moves the focus to its first field. */
  focusField?: boolean;
  children: ReactNode | ((close: () => void) => ReactNode);
}

/**
 * A button with a small sheet beside it, which lies within the window wherever the button is. Escape, a click
 * elsewhere and moving the focus away close it.
 */
export function Menu({ id, label, button, plain, focusField, children, ...props }: Props) {
  const { align = "left", className = "" } = props;
  const [open, setOpen] = useState(false);
  const root = useRef<HTMLDivElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const sheet = useRef<HTMLDivElement>(null);
  const sheetId = useId();
  useLayoutEffect(() => {
    if (!open) return;
    const place = () => {
      const { current: shown } = sheet;
      if (!shown || !opener.current) return;
      const { innerWidth: width, innerHeight: height } = window;
      const top = Math.max(0, document.querySelector(".top-bar")?.getBoundingClientRect().bottom ?? 0);
      // Height without a limit, including the frame, which is the difference of the last two.
      const wanted = shown.scrollHeight + shown.offsetHeight - shown.clientHeight;
      const size = { width: shown.offsetWidth, height: wanted };
      const at = sheetPlace(opener.current.getBoundingClientRect(), size, { width, height, top }, align);
      for (const side of ["left", "top", "maxHeight"] as const) shown.style[side] = `${at[side]}px`;
    };
    place();
    if (focusField) sheet.current?.querySelector("input")?.focus();
    const grown = new ResizeObserver(place);
    if (sheet.current) grown.observe(sheet.current);
    window.addEventListener("resize", place);
    // Its button may scroll within any element.
    document.addEventListener("scroll", place, { capture: true, passive: true });
    return () => {
      grown.disconnect();
      window.removeEventListener("resize", place);
      document.removeEventListener("scroll", place, { capture: true });
    };
  }, [open, align, focusField]);
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
        id={id}
        type="button"
        className={`button max-w-full ${plain ? "plain" : ""}`}
        aria-label={label}
        aria-expanded={open}
        aria-controls={open ? sheetId : undefined}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      {open ? (
        <div ref={sheet} id={sheetId} className="menu sheet surface">
          {typeof children === "function" ? children(close) : children}
        </div>
      ) : null}
    </div>
  );
}

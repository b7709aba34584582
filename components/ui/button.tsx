import type { ComponentProps } from "react";

/** A button with text. @see primary Marks the main action of a page or form. */
export function Button({
  primary,
  className = "px-3",
  ...props
}: ComponentProps<"button"> & { primary?: boolean }) {
  return <button type="button" className={`button ${primary ? "primary " : ""}${className}`} {...props} />;
}

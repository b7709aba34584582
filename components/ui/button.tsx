import type { ComponentProps } from "react";

/** A button with a text. @see primary What the page or form is there for. */
export function Button({
  primary,
  className = "px-3",
  ...props
}: ComponentProps<"button"> & { primary?: boolean }) {
  return <button type="button" className={`button ${primary ? "primary " : ""}${className}`} {...props} />;
}

import type { ReactNode } from "react";
import "#components/docs/docs.css";

/** Styles of these pages alone: no other page loads them. */
export default function DocsLayout({ children }: { children: ReactNode }) {
  return children;
}

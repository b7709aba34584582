import type { ReactNode } from "react";
import "#components/docs/docs.css";

/** This layout loads the styles of these pages; no other page needs them. */
export default function DocsLayout({ children }: { children: ReactNode }) {
  return children;
}

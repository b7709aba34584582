import type { ReactNode } from "react";
import "./docs.css";
import "./reply.css";
import "./request.css";

/** Styles of these pages alone: no other page loads them. */
export default function DocsLayout({ children }: { children: ReactNode }) {
  return children;
}

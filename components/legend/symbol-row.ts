import type { ReactNode } from "react";

/** A symbol of the map and what it means. */
export interface SymbolRow {
  id: string;
  picture: ReactNode;
  meaning: string;
}

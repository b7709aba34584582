import { useState } from "react";
import { type ColumnId, columns, usualColumns } from "./passage-columns.ts";
import { type RowMode, rowModes } from "./passage-rows.ts";

const [COLUMNS_KEY, ROWS_KEY] = ["metocean-passage-columns", "metocean-passage-rows"];

/** Which rows and columns the table has: this device keeps it. */
export function useShownColumns() {
  const [shown, setShown] = useState(readColumns);
  const [mode, setMode] = useState<RowMode>(
    () => rowModes.find((name) => name === localStorage.getItem(ROWS_KEY)) ?? "hours",
  );
  return {
    shown,
    mode,
    setMode(next: RowMode) {
      localStorage.setItem(ROWS_KEY, next);
      setMode(next);
    },
    toggle(id: ColumnId) {
      const next = shown.includes(id) ? shown.filter((one) => one !== id) : [...shown, id];
      localStorage.setItem(COLUMNS_KEY, next.join());
      setShown(next);
    },
  };
}

function readColumns(): readonly ColumnId[] {
  const stored = localStorage.getItem(COLUMNS_KEY)?.split(",");
  return stored ? columns.map(({ id }) => id).filter((id) => stored.includes(id)) : usualColumns;
}

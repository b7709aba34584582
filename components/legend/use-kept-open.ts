import { useEffect, useState } from "react";

const STORAGE_KEY = "legend";

/** Whether the legend is unfolded on a phone: folded at first, then as it was left on this device. */
export function useKeptOpen(): [open: boolean, toggle: () => void] {
  const [open, setOpen] = useState(false);
  useEffect(() => setOpen(localStorage.getItem(STORAGE_KEY) === "open"), []);
  const toggle = () => {
    localStorage.setItem(STORAGE_KEY, open ? "folded" : "open");
    setOpen(!open);
  };
  return [open, toggle];
}

import { useEffect, useState } from "react";

/** Whether a condition has been true without interruption for a while. @param ms Length of the while. */
export function useLasting(condition: boolean, ms: number): boolean {
  const [lasts, setLasts] = useState(false);
  useEffect(() => {
    if (!condition) return;
    const timer = setTimeout(() => setLasts(true), ms);
    return () => {
      clearTimeout(timer);
      setLasts(false);
    };
  }, [condition, ms]);
  return condition && lasts;
}

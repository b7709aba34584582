import { useEffect, useState } from "react";

/** How long a text stands still before it counts, ms. */
const STEADY_MS = 500;

/** A text after it has stood still for a while; the first at once. */
export function useSteady(text: string): string {
  const [steady, setSteady] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => setSteady(text), STEADY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return steady;
}

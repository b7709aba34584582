import { useEffect, useState } from "react";

/** A value after it has been unchanged for a while; the first one immediately. */
export function useSteady<T extends string | number>(value: T, ms = 500): T {
  const [steady, setSteady] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSteady(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return steady;
}

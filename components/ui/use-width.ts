import { type RefObject, useLayoutEffect, useState } from "react";

/** Width of an element, CSS pixels, as it changes. @param initial Until it is known. */
export function useWidth(element: RefObject<HTMLElement | null>, initial: number): number {
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    // 0 while it is hidden, as the panel of a phone is.
    const measure = () => setWidth((last) => Math.round(target.getBoundingClientRect().width) || last);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

import { type RefObject, useLayoutEffect, useState } from "react";

/** Current width of an element, CSS pixels. @param initial Used until it is known. */
export function useWidth(element: RefObject<HTMLElement | null>, initial: number): number {
  const [width, setWidth] = useState(initial);
  useLayoutEffect(() => {
    const target = element.current;
    if (!target) return;
    // The width is 0 while it is hidden, as the panel on a phone may be.
    const measure = () => setWidth((last) => Math.round(target.getBoundingClientRect().width) || last);
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(target);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

import type { Page } from "@playwright/test";

/** The parts of a React fiber that say whether its component has rendered. */
interface Fiber {
  tag: number;
  type: unknown;
  flags: number;
  child: Fiber | null;
  sibling: Fiber | null;
  return: Fiber | null;
  alternate: Fiber | null;
}

interface CountingWindow {
  __REACT_DEVTOOLS_GLOBAL_HOOK__: object;
  /** Renders of each function component since the last reset. */
  renders: Map<unknown, number>;
}

/**
 * Counts how often the components of the next page render, by the interface that React has for its developer
 * tools. It works with the pages as they are built for users.
 */
export async function countRenders(page: Page): Promise<void> {
  await page.addInitScript(() => {
    // React sets this flag of a fiber whose component it has called, and clears it otherwise.
    const PERFORMED_WORK = 1;
    const counting = window as unknown as CountingWindow;
    counting.renders = new Map();
    const visit = (fiber: Fiber) => {
      const { renders } = counting;
      const { alternate, type, child } = fiber;
      if (typeof type === "function" && (fiber.flags & PERFORMED_WORK) !== 0)
        renders.set(type, (renders.get(type) ?? 0) + 1);
      // React keeps the children of a component below which nothing has rendered.
      if (alternate?.child === child) return;
      for (let next = child; next; next = next.sibling) visit(next);
    };
    counting.__REACT_DEVTOOLS_GLOBAL_HOOK__ = {
      supportsFiber: true,
      renderers: new Map(),
      inject: () => 1,
      checkDCE: () => undefined,
      onCommitFiberRoot: (_: number, { current }: { current: Fiber }) => visit(current),
      onCommitFiberUnmount: () => undefined,
      onPostCommitFiberRoot: () => undefined,
    };
  });
}

/**
 * Where a component is on the page: an element that it renders, and how many components lie between (0 for
 * the innermost component around the element).
 */
export type ComponentPlace = readonly [selector: string, above: number];

/** Forgets the renders until now. */
export const resetRenders = (page: Page) =>
  page.evaluate(() => (window as unknown as CountingWindow).renders.clear());

/** Renders of components since the last reset, and those of all components together as `all`. */
export function rendersOf<Name extends string>(
  page: Page,
  places: Readonly<Record<Name, ComponentPlace>>,
): Promise<Record<Name | "all", number>> {
  const wanted: [string, ComponentPlace][] = Object.entries(places);
  return page.evaluate((named) => {
    const { renders } = window as unknown as CountingWindow;
    const componentAt = ([selector, above]: readonly [string, number]) => {
      const element = document.querySelector(selector);
      const property = element && Object.keys(element).find((name) => name.startsWith("__reactFiber$"));
      if (!property) throw new Error(`React has rendered no ${selector}`);
      let fiber = (element as unknown as Record<string, Fiber | null>)[property] ?? null;
      let left = above;
      for (; fiber; fiber = fiber.return) if (typeof fiber.type === "function" && left-- === 0) break;
      return fiber?.type;
    };
    const all = [...renders.values()].reduce((sum, times) => sum + times, 0);
    const counts = named.map(([name, place]) => [name, renders.get(componentAt(place)) ?? 0]);
    return Object.fromEntries([...counts, ["all", all]]);
  }, wanted);
}

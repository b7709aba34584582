/** Options of `cutOff`. They are plain values, because they are sent into the page. */
export interface ReachOptions {
  /** Selector of the element whose controls are checked. */
  within?: string;
  /** Whether nothing is scrolled first, so that controls below the fold count as cut off. */
  still?: boolean;
}

/**
 * Lists the visible controls of the page that cannot be pressed: cut off by the window or by an element that does not
 * scroll, covered by something else, or with a label that does not fit. It runs in the page and returns one line per
 * control.
 */
export function cutOff({ within = "body", still = false }: ReachOptions = {}): string[] {
  /** Tolerance for rounding, pixels. */
  const SLACK = 1;
  const controls = "a[href], button, input, select, textarea, summary, [data-reach]";
  const dialog = document.querySelector("dialog:modal");
  const root = document.querySelector(within);
  if (!root) return [`there is no ${within}`];

  /** The box in which a positioned element is placed and clipped. */
  const outer = (element: Element): Element | null => {
    const { position } = getComputedStyle(element);
    if (position === "fixed" || element.matches("dialog:modal")) return null;
    return position === "absolute" ? (element as HTMLElement).offsetParent : element.parentElement;
  };
  /** Scrolls as a user would: by elements that show scroll bars, never by those that hide overflow. */
  const bringIntoView = (element: Element) => {
    for (let box = element.parentElement; box; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box);
      const page = box === document.documentElement;
      const area = page ? new DOMRect(0, 0, innerWidth, innerHeight) : box.getBoundingClientRect();
      const rect = element.getBoundingClientRect();
      const by = {
        top: rect.top + rect.height / 2 - area.top - area.height / 2,
        left: rect.left + rect.width / 2 - area.left - area.width / 2,
      };
      if (page || /auto|scroll/.test(overflowY)) box.scrollTop += by.top;
      if (!page && /auto|scroll/.test(overflowX)) box.scrollLeft += by.left;
    }
  };
  const describe = (element: Element) => {
    const label = element.getAttribute("aria-label") ?? element.textContent?.trim();
    return `${element.tagName.toLowerCase()} "${label || element.getAttribute("name") || element.className}"`;
  };
  const reasonOf = (element: Element): string | undefined => {
    const rect = element.getBoundingClientRect();
    const outside = (left: number, top: number, right: number, bottom: number) =>
      rect.left < left - SLACK ||
      rect.top < top - SLACK ||
      rect.right > right + SLACK ||
      rect.bottom > bottom + SLACK;
    const at = `${Math.round(rect.left)}…${Math.round(rect.right)} × ${Math.round(rect.top)}…${Math.round(rect.bottom)}`;
    if (outside(0, 0, innerWidth, innerHeight)) return `is outside the window, ${at}`;
    for (let box = outer(element); box && box !== document.body; box = outer(box)) {
      const { overflowX, overflowY } = getComputedStyle(box);
      const area = box.getBoundingClientRect();
      const [x, y] = [overflowX !== "visible", overflowY !== "visible"];
      const [far, none] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
      if (outside(x ? area.left : none, y ? area.top : none, x ? area.right : far, y ? area.bottom : far))
        return `is clipped by ${box.tagName.toLowerCase()}.${box.className}, ${at}`;
    }
    if (element instanceof HTMLElement && /hidden|clip/.test(getComputedStyle(element).overflowX))
      if (element.scrollWidth > element.clientWidth + SLACK) return "has a label that is cut off";
    const hit = document.elementFromPoint(rect.left + rect.width / 2, rect.top + rect.height / 2);
    if (hit && (element.contains(hit) || hit.closest("label")?.contains(element))) return undefined;
    return `is covered by ${hit ? describe(hit).slice(0, 60) : "nothing that can be pressed"}, ${at}`;
  };

  /** Tries without scrolling first, because scrolling causes a new layout and most controls do not need it. */
  const reasonAfterScrolling = (element: Element) => {
    const reason = reasonOf(element);
    if (!reason || still) return reason;
    bringIntoView(element);
    return reasonOf(element);
  };

  return [...root.querySelectorAll(controls)]
    .filter((element) => !dialog || dialog.contains(element))
    .filter((element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true }))
    .filter((element) => {
      // The element is for screen readers only, or until it has the focus.
      const { clipPath, width, height } = getComputedStyle(element);
      return clipPath !== "inset(50%)" && width !== "1px" && height !== "1px";
    })
    .flatMap((element) => {
      const reason = reasonAfterScrolling(element);
      return reason ? [`${describe(element)} ${reason}`] : [];
    });
}

import type { Place } from "@open-metocean/geo/sphere";
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from "react";
import { changePlan, inserted, markPlan, usePlan } from "#components/view-state/plan.ts";
import { useView } from "#components/view-state/view-context.tsx";
import { NewWatch } from "#components/watches/watch-button.tsx";
import { useWords } from "#components/words/words-context.ts";
import { coveredByPanel, menuPlace } from "./covered.ts";
import { type MenuPlace, useScreen } from "./screen-context.tsx";
import { useNavigation } from "./use-navigation.ts";

/** Menu of actions at a place of the map, opened by a right click, a long press or the menu key. */
export function MapMenu({ at, onClose }: { at: MenuPlace | undefined; onClose(): void }) {
  const [watched, setWatched] = useState<Place>();
  const view = useView("sp");
  return (
    <>
      {at ? <Sheet key={`${at.x} ${at.y}`} at={at} onClose={onClose} onWatch={setWatched} /> : null}
      {watched ? (
        <NewWatch about={{ place: watched, provider: view.sp }} onClose={() => setWatched(undefined)} />
      ) : null}
    </>
  );
}

interface SheetProps {
  at: MenuPlace;
  onClose(): void;
  onWatch(place: Place): void;
}

function Sheet({ at: { place, x, y }, onClose, onWatch }: SheetProps) {
  const { mapMenu: words } = useWords().screen;
  const { map } = useScreen();
  const { sample, showWaypoint, startDrawing } = useNavigation();
  const { route } = usePlan().plan;
  const sheet = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => {
    const { current: shown } = sheet;
    const room = shown?.offsetParent;
    if (!shown || !room) return;
    const { left, top } = menuPlace(
      { x, y },
      { width: shown.offsetWidth, height: shown.offsetHeight },
      { width: room.clientWidth, height: room.clientHeight },
      coveredByPanel(),
    );
    Object.assign(shown.style, { left: `${left}px`, top: `${top}px` });
    shown.querySelector("button")?.focus();
  }, [x, y]);
  useEffect(() => {
    const leave = ({ target }: Event) => {
      if (target instanceof Node && !sheet.current?.contains(target)) onClose();
    };
    document.addEventListener("pointerdown", leave);
    return () => document.removeEventListener("pointerdown", leave);
  }, [onClose]);
  const items: [title: string, act: () => void][] = [
    [words.ask, () => sample(place)],
    [words.measure, () => markPlan({ measure: { from: place, to: undefined, isFixed: false } })],
    [
      words.route,
      () => {
        void import("#components/passage/route-link.ts").then(({ startRoute }) => {
          startRoute(place);
          startDrawing();
        });
      },
    ],
    ...(route.length > 0
      ? ([
          [
            words.waypoint,
            () => {
              changePlan({ route: inserted(route, place) });
              showWaypoint(route.length);
            },
          ],
        ] as [string, () => void][])
      : []),
    [words.watch, () => onWatch(place)],
  ];
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const buttons = [...event.currentTarget.querySelectorAll("button")];
    const index = buttons.indexOf(event.target as HTMLButtonElement);
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") {
      onClose();
      map.current?.focus();
    } else if (by) buttons[(index + by + buttons.length) % buttons.length]?.focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  return (
    <div
      ref={sheet}
      role="menu"
      aria-label={words.title}
      className="map-menu surface"
      tabIndex={-1}
      onKeyDown={onKeyDown}
    >
      {items.map(([title, act]) => (
        <button
          key={title}
          type="button"
          role="menuitem"
          tabIndex={-1}
          onClick={() => {
            onClose();
            map.current?.focus();
            act();
          }}
        >
          {title}
        </button>
      ))}
    </div>
  );
}

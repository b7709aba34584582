import { type KeyboardEvent, type PointerEvent, type ReactNode, type RefObject, useId, useRef } from "react";
import { useWords } from "#components/words/words-context.ts";
import { Icon, type IconName } from "./icon.tsx";

export interface PanelTab {
  id: string;
  title: string;
  /** A warning shown also while another tab is open: a red mark at the title, with this text. */
  badge?: string | undefined;
  /**
   * The tab is opened from elsewhere. It appears among the tabs, with this icon, only while it is shown, and
   * its title is below.
   */
  transient?: IconName;
  /** A line or two shown on a phone while the panel is low. */
  peek?: ReactNode;
  body: ReactNode;
}

interface Props {
  tabs: readonly PanelTab[];
  /** Id of the displayed tab. */
  current: string;
  onTab(id: string): void;
  /** On wide screens, whether the panel is open or folded away. */
  open: boolean;
  onOpen(open: boolean): void;
  /** Height of the sheet on a phone. */
  stop: PanelStop;
  onStop(stop: PanelStop): void;
  /** Receives the focusable element that contains the body of the displayed tab. */
  body?: RefObject<HTMLDivElement | null>;
  /** Called for a key in the panel that none of its controls handled. */
  onKeyDown?(event: KeyboardEvent<HTMLElement>): void;
}

/** Least movement of a swipe, CSS pixels; a smaller one counts as a press. */
const LEAST_SWIPE = 24;

const stops = ["low", "half", "full"] as const;

export type PanelStop = (typeof stops)[number];

/**
 * A panel beside the content on wide screens. On a phone it is a sheet with three heights whose last line
 * contains the tabs; in a low window it has two heights.
 */
export function Panel({ tabs, current, onTab, open, onOpen, stop, onStop, body, onKeyDown }: Props) {
  const { ui } = useWords();
  const id = useId();
  const lower = useRef<HTMLButtonElement>(null);
  const raise = useRef<HTMLButtonElement>(null);
  const touch = useRef<{ pointerId: number; clientY: number }>(undefined);
  const shown = tabs.find((tab) => tab.id === current) ?? tabs[0];
  if (!shown) return null;
  const listed = tabs.filter((tab) => !tab.transient || tab === shown);
  const move = (by: number) => onStop(stops[Math.min(2, Math.max(0, stops.indexOf(stop) + by))] ?? "low");
  const choose = (chosen: string) => {
    onTab(chosen);
    if (stop === "low") move(1);
  };
  /** A swipe presses the corresponding button; if that is hidden, the sheet has no such height. */
  const swipe = ({ clientY, pointerId }: PointerEvent) => {
    if (touch.current?.pointerId !== pointerId) return;
    const by = touch.current.clientY - clientY;
    touch.current = undefined;
    const { current: button } = by > 0 ? raise : lower;
    if (Math.abs(by) >= LEAST_SWIPE && button?.checkVisibility()) button.click();
  };
  const moveAlong = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = listed[(listed.indexOf(shown) + by + listed.length) % listed.length] ?? shown;
    onTab(next.id);
    document.getElementById(`${id}-${next.id}`)?.focus();
  };
  return (
    <aside className="panel" aria-label={ui.details} data-open={open} data-stop={stop} onKeyDown={onKeyDown}>
      <div className="panel-sheet surface">
        <div
          className="panel-head"
          onPointerDown={({ clientY, isPrimary, pointerId, pointerType }) => {
            if (isPrimary && pointerType === "touch") touch.current = { clientY, pointerId };
          }}
          onPointerUp={swipe}
          onPointerCancel={() => {
            touch.current = undefined;
          }}
        >
          <div role="tablist" aria-label={ui.details} className="panel-tabs surface" onKeyDown={moveAlong}>
            {listed.map((tab) => (
              <button
                key={tab.id}
                id={`${id}-${tab.id}`}
                type="button"
                role="tab"
                aria-selected={tab === shown}
                aria-controls={`${id}-body`}
                tabIndex={tab === shown ? 0 : -1}
                className="tab"
                title={tab.transient && tab.title}
                onClick={() => choose(tab.id)}
              >
                {tab.transient ? <Icon name={tab.transient} className="inline size-5" /> : null}
                <span className={tab.transient && "sr-only"}>{tab.title}</span>
                {tab.badge ? (
                  <span className="tab-badge" title={tab.badge}>
                    <span className="sr-only">{tab.badge}</span>
                  </span>
                ) : null}
              </button>
            ))}
          </div>
          <button
            ref={lower}
            type="button"
            className="button plain panel-stop"
            aria-label={ui.lower}
            disabled={stop === "low"}
            // The window may have become low while the sheet was at its third height.
            onClick={() => (raise.current?.checkVisibility() ? move(-1) : onStop("low"))}
          >
            <Icon name="down" />
          </button>
          <button
            ref={raise}
            type="button"
            className="button plain panel-stop"
            aria-label={ui.raise}
            disabled={stop === "full"}
            onClick={() => move(1)}
          >
            <Icon name="up" />
          </button>
          <button
            type="button"
            className="button plain panel-fold"
            aria-label={open ? ui.fold : ui.unfold}
            aria-expanded={open}
            onClick={() => onOpen(!open)}
          >
            <Icon name={open ? "forward" : "back"} />
          </button>
        </div>
        {shown.peek ? <div className="panel-peek">{shown.peek}</div> : null}
        <div
          ref={body}
          id={`${id}-body`}
          tabIndex={-1}
          className="panel-body"
          role="tabpanel"
          aria-labelledby={`${id}-${shown.id}`}
        >
          {shown.body}
        </div>
      </div>
    </aside>
  );
}

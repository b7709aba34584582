import { type KeyboardEvent, type ReactNode, type RefObject, useId } from "react";
import { useWords } from "#components/words/words-context.ts";
import { Icon, type IconName } from "./icon.tsx";

/** A tab of the panel. */
export interface PanelTab {
  id: string;
  title: string;
  /** What it has to warn of, while another tab is shown too: a red mark at the title that reads so. */
  badge?: string | undefined;
  /** Stands for the title, where there is little room. */
  icon?: IconName;
  /** Shown on a phone while the panel is low: a line or two. */
  peek?: ReactNode;
  /** It has nothing to show in the low panel yet: choosing it raises the panel. */
  rises?: boolean;
  body: ReactNode;
}

interface Props {
  tabs: readonly PanelTab[];
  /** Id of the tab that is shown. */
  current: string;
  /** Above what every tab shows. */
  notice?: ReactNode;
  onTab(id: string): void;
  /** On wide screens the panel is open or folded away. */
  open: boolean;
  onOpen(open: boolean): void;
  /** Height of the sheet on a phone. */
  stop: PanelStop;
  onStop(stop: PanelStop): void;
  /** Set to the element with the body of the tab that is shown; it can be focused. */
  body?: RefObject<HTMLDivElement | null>;
  /** A key in the panel that none of its controls acted on. */
  onKeyDown?(event: KeyboardEvent<HTMLElement>): void;
}

const stops = ["low", "half", "full"] as const;

export type PanelStop = (typeof stops)[number];

/** Beside the content on wide screens; on a phone a sheet at the bottom with three heights. */
export function Panel({ tabs, current, notice, onTab, open, onOpen, stop, onStop, body, onKeyDown }: Props) {
  const { ui } = useWords();
  const id = useId();
  const shown = tabs.find((tab) => tab.id === current) ?? tabs[0];
  if (!shown) return null;
  const raise = (by: number) => onStop(stops[Math.min(2, Math.max(0, stops.indexOf(stop) + by))] ?? "low");
  const choose = ({ id: chosen, rises }: PanelTab) => {
    onTab(chosen);
    if (rises && stop === "low") raise(1);
  };
  const moveAlong = (event: KeyboardEvent) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    event.preventDefault();
    const next = tabs[(tabs.indexOf(shown) + by + tabs.length) % tabs.length] ?? shown;
    onTab(next.id);
    document.getElementById(`${id}-${next.id}`)?.focus();
  };
  return (
    <aside className="panel" aria-label={ui.details} data-open={open} data-stop={stop} onKeyDown={onKeyDown}>
      <div className="panel-sheet surface">
        <div className="flex items-center gap-1 border-line border-b px-2 py-1">
          <div className="panel-folds flex min-w-0 flex-1 items-center gap-1">
            {tabs.length > 1 ? (
              <div role="tablist" aria-label={ui.details} className="flex gap-1" onKeyDown={moveAlong}>
                {tabs.map((tab) => (
                  <button
                    key={tab.id}
                    id={`${id}-${tab.id}`}
                    type="button"
                    role="tab"
                    aria-selected={tab === shown}
                    aria-controls={`${id}-body`}
                    tabIndex={tab === shown ? 0 : -1}
                    className="tab"
                    {...(tab.icon && { "aria-label": tab.title, title: tab.title })}
                    onClick={() => choose(tab)}
                  >
                    {tab.icon ? <Icon name={tab.icon} /> : tab.title}
                    {tab.badge ? (
                      <span className="tab-badge" title={tab.badge}>
                        <span className="sr-only">{tab.badge}</span>
                      </span>
                    ) : null}
                  </button>
                ))}
              </div>
            ) : (
              <p className="truncate px-2 font-medium text-sm">{shown.title}</p>
            )}
          </div>
          <button
            type="button"
            className="button plain md:hidden"
            aria-label={ui.lower}
            disabled={stop === "low"}
            onClick={() => raise(-1)}
          >
            <Icon name="down" />
          </button>
          <button
            type="button"
            className="button plain md:hidden"
            aria-label={ui.raise}
            disabled={stop === "full"}
            onClick={() => raise(1)}
          >
            <Icon name="up" />
          </button>
          <button
            type="button"
            className="button plain max-md:hidden"
            aria-label={open ? ui.fold : ui.unfold}
            aria-expanded={open}
            onClick={() => onOpen(!open)}
          >
            <Icon name={open ? "forward" : "back"} />
          </button>
        </div>
        {notice ? <div className="panel-notice">{notice}</div> : null}
        {shown.peek ? <div className="panel-peek px-4 py-1">{shown.peek}</div> : null}
        <div
          ref={body}
          id={`${id}-body`}
          tabIndex={-1}
          className="panel-body"
          {...(tabs.length > 1 ? { role: "tabpanel", "aria-labelledby": `${id}-${shown.id}` } : {})}
        >
          {shown.body}
        </div>
      </div>
    </aside>
  );
}

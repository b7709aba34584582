import type { ReactNode } from "react";
import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { useWords } from "#components/words/words-context.ts";

/** The menu of a legend, which opens from the symbol of its unit. */
export function LegendMenu({ unit, children }: { unit: string; children: ReactNode }) {
  const { legend } = useWords();
  return (
    <Menu
      className="legend-unit"
      align="right"
      label={legend.open({ unit })}
      button={
        <span className="flex items-center gap-0.5">
          {unit}
          <Icon name="up" className="size-3" />
        </span>
      }
    >
      <div className="flex max-w-80 flex-col gap-3">{children}</div>
    </Menu>
  );
}

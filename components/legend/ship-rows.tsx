import type { Theme } from "#components/view-state/map-colours.ts";
import type { Words } from "#lib/messages/words.ts";
import { type DrawIcon, MapIcon } from "./map-icon.tsx";
import { drawing, type SymbolRow } from "./storm-rows.tsx";

/** Names of components/ship/ship-icons.ts. */
export type DrawShipIcon = DrawIcon<"ship-under-way" | "ship-at-anchor">;

/** The ship and its way ahead. */
export function shipRows(draw: DrawShipIcon, theme: Theme | undefined, { legend }: Words): SymbolRow[] {
  return [
    {
      id: "ship",
      picture: (["ship-under-way", "ship-at-anchor"] as const).map((name) => (
        <MapIcon key={name} draw={draw} name={name} theme={theme} />
      )),
      meaning: legend.ship,
    },
    {
      id: "ship way",
      picture: drawing(
        <>
          <path d="M1 16 43 4" stroke="var(--map-ink)" />
          <circle cx="22" cy="10" r="3" stroke="var(--map-ink)" fill="var(--map-halo)" />
        </>,
      ),
      meaning: legend.shipWay,
    },
  ];
}

import type { ReactNode } from "react";
import type { Theme } from "#components/view-state/map-colours.ts";
import type { Words } from "#lib/messages/words.ts";
import { type DrawIcon, MapIcon } from "./map-icon.tsx";

/** A symbol of the map and its meaning. */
export type SymbolRow = readonly [id: string, picture: ReactNode, meaning: string];

const STORM = "var(--map-storm)";
const LIKELY = "var(--map-likely-high)";

/** Names are those of components/storms/storm-icons.ts. */
export type DrawStormIcon = DrawIcon<string>;

/** Symbols, tracks and areas of storms. @param boxes Whether boxes around their winds are drawn. */
export function stormRows(
  draw: DrawStormIcon,
  theme: Theme | undefined,
  boxes: boolean,
  { legend: { storms: words } }: Words,
): SymbolRow[] {
  const icon = (...names: string[]) =>
    names.map((name) => <MapIcon key={name} draw={draw} name={`storm-${name}`} theme={theme} />);
  const box: SymbolRow = [
    "box",
    drawing(
      <>
        <path d="M3 3h17v14h-17z" stroke="var(--map-ink)" />
        <path d="M25 3h16v14h-16z" stroke="var(--map-ink)" strokeDasharray="3 3" />
      </>,
    ),
    words.box,
  ];
  return [
    ["hurricane", icon("north-hu3", "south-hu3"), words.hurricane],
    ["tropical storm", icon("north-ts"), words.tropicalStorm],
    ["depression", icon("north-td"), words.depression],
    ["invest", icon("invest"), words.invest],
    ["area", icon("area-low", "area-high"), words.area],
    ["area outline", drawing(<AreaPicture />), words.areaOutline],
    [
      "alert",
      drawing(
        <>
          <path d="M11 2h22a8 8 0 0 1 0 16H11A8 8 0 0 1 11 2Z" stroke={LIKELY} strokeDasharray="6 2 2 2" />
          <path d="M8 4 22 18M16 2 32 18M26 2 39 15" stroke={LIKELY} strokeWidth="1" />
        </>,
      ),
      words.alert,
    ],
    ["remnant", icon("low"), words.remnant],
    [
      "track",
      drawing(
        <>
          <path d="M1 16 20 10" stroke={STORM} />
          <path d="M20 10 43 4" stroke={STORM} strokeDasharray="4 3" />
          <circle cx="31" cy="7" r="3" stroke={STORM} fill="var(--surface)" />
        </>,
      ),
      words.track,
    ],
    [
      "cone",
      drawing(
        <path
          d="M2 10C14 6 24 2 34 2A8 8 0 0 1 34 18C24 18 14 14 2 10Z"
          stroke={STORM}
          fill={STORM}
          fillOpacity="0.18"
          strokeWidth="1"
        />,
      ),
      words.cone,
    ],
    [
      "danger",
      drawing(
        <>
          <path d="M4 6 12 14M14 3 28 17M26 3 40 17" stroke="var(--map-danger)" />
          <path d="M8 3h28a7 7 0 0 1 0 14H8A7 7 0 0 1 8 3Z" stroke="var(--map-danger)" strokeWidth="2.5" />
        </>,
      ),
      words.danger,
    ],
    ...(boxes ? [box] : []),
  ];
}

function AreaPicture() {
  const kinds = [
    ["low", "2 3", "M4 14 12 6"],
    ["medium", "5 3", "M17 15 26 6M21 16 28 9"],
    ["high", undefined, "M31 11 38 4M31 15 42 4M35 16 42 9"],
  ] as const;
  return kinds.map(([likelihood, dashes, lines], index) => (
    <g key={likelihood} stroke={`var(--map-likely-${likelihood})`}>
      <rect x={2 + 14 * index} y="3" width="12" height="14" rx="4" strokeDasharray={dashes} />
      <path d={lines} strokeWidth="1" />
    </g>
  ));
}

/** A picture in the size of the legend's rows. */
export function drawing(children: ReactNode) {
  return (
    <svg width="44" height="20" fill="none" strokeWidth="1.8" aria-hidden="true">
      {children}
    </svg>
  );
}

import { Fragment } from "react";
import type { Theme } from "#components/view-state/map-colours.ts";
import {
  drawsLines,
  type LayerName,
  linedVariables,
  type Overlay,
  symbolsOf,
} from "#components/view-state/overlays.ts";
import { useStillParticles } from "#components/view-state/particles.ts";
import { useWords } from "#components/words/words-context.ts";
import { directionOutput, type LinedVariable } from "#lib/catalog/colours.ts";
import { layerOf, type PaintedName, paintedScale } from "#lib/catalog/painted.ts";
import type { Words } from "#lib/messages/words.ts";
import {
  currentArrow,
  type Glyph,
  pathText,
  streamMark,
  tideMark,
  waveArrow,
  windBarb,
} from "#lib/symbols/symbols.ts";
import { type DrawIcon, MapIcon } from "./map-icon.tsx";
import { type DrawStormIcon, drawing, type SymbolRow, stormRows } from "./storm-rows.tsx";

interface Props {
  layer: LayerName;
  shown: readonly Overlay[];
  theme: Theme | undefined;
  /** Whether storms are drawn. */
  storms: boolean;
  stormIcon: DrawStormIcon;
  /** Whether a ship is drawn. */
  ship: boolean;
  shipIcon: DrawShipIcon;
  /** Unit of the drawn tide heights; undefined if none are drawn. */
  tideUnit?: string | undefined;
}

/**
 * Explains the symbols on the map and the areas without colours; renders nothing for a plain map without
 * symbols.
 */
export function SymbolLegend({ layer, shown, theme, storms, stormIcon, ship, shipIcon, tideUnit }: Props) {
  const words = useWords();
  const lined = linedVariables.filter((of) => drawsLines(of, layer, shown));
  const rows = [
    ...symbolsOf(layer, shown).flatMap((kind) => (kind === "isolines" ? [] : rowsOf[kind](words, layer))),
    ...lined.flatMap((of) => lineRows[of](words)),
    ...(tideUnit ? tideRows(tideUnit, words) : []),
    ...(ship ? shipRows(shipIcon, theme, words) : []),
    ...(storms && shown.includes("storms")
      ? stormRows(stormIcon, theme, shown.includes("boxes"), words)
      : []),
    ...(layer === "none" ? [] : uncolouredRows(layer, words)),
  ];
  const isStill = useStillParticles();
  if (rows.length === 0) return null;
  return (
    <section aria-label={words.legend.symbols}>
      <ul className="flex flex-col gap-1 text-xs">
        {rows.map(([id, picture, meaning]) => (
          <li key={id} className="flex items-center gap-2">
            <span className="flex w-16 shrink-0 justify-center">{picture}</span>
            <span>{id === "particles" && isStill ? words.legend.stillParticles : meaning}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

type OwnSymbol = Exclude<ReturnType<typeof symbolsOf>[number], "isolines">;

const rowsOf: Record<OwnSymbol, (words: Words, layer: LayerName) => SymbolRow[]> = {
  barbs: ({ legend }) => [
    ["barb", glyphPicture(windBarb(65, 1), -90), legend.barb],
    ["southern barb", glyphPicture(windBarb(15, -1), -90), legend.southernBarb],
    ["calm", glyphPicture(windBarb(0, 1)), legend.calm],
  ],
  arrows: ({ legend }, layer) =>
    layer !== "none" && directionOutput(layerOf(layer))?.is === "bearingTo"
      ? [
          ["current", glyphPicture(currentArrow(30), 90, "var(--map-current)"), legend.current],
          ["slack", glyphPicture(currentArrow(0), 0, "var(--map-current)"), legend.slack],
        ]
      : [["wave", glyphPicture(waveArrow(30), 90), legend.wave]],
  particles: ({ legend }) => [["particles", particlesPicture, legend.particles]],
};

const tideRows = (unit: string, { legend }: Words): SymbolRow[] => [
  [
    "tide",
    ([1, -1] as const).map((trend) => <Fragment key={trend}>{glyphPicture(tideMark(trend))}</Fragment>),
    legend.tide({ unit }),
  ],
  ["stream", glyphPicture(streamMark(24), 90), legend.stream],
];

const speedRows = ({ legend }: Words): SymbolRow[] => [["speed", linePicture(), legend.windLines]];

const lineRows: Record<LinedVariable, (words: Words) => SymbolRow[]> = {
  wind: speedRows,
  gust: speedRows,
  pressure: ({ legend, map }) => [
    ["isobar", linePicture(), legend.isobar],
    ["centres", centresPicture(map), legend.centres],
  ],
  wave: ({ legend }) => [["height", linePicture("5 3"), legend.heights]],
};

/** Rows for areas where the colours of a layer show nothing. */
function uncolouredRows(layer: PaintedName, { legend }: Words): SymbolRow[] {
  const missing: SymbolRow = [
    "missing",
    drawing(<path d="M4 18 18 4M14 18 28 4M24 18 38 4" stroke="var(--map-ink)" opacity="0.5" />),
    legend.missing,
  ];
  return paintedScale(layer).solidFrom === undefined ? [missing] : [["clear", null, legend.clear], missing];
}

const particlesPicture = <span aria-hidden="true">· · ·</span>;

const centresPicture = ({ high, low }: Words["map"]) => (
  <b>
    <span style={{ color: "var(--map-high)" }}>{high}</span>{" "}
    <span style={{ color: "var(--map-low)" }}>{low}</span>
  </b>
);

function linePicture(dashes?: string) {
  return (
    <svg width="40" height="8" aria-hidden="true">
      <path
        d="M0 6 C 12 -2, 24 10, 40 2"
        fill="none"
        stroke="var(--map-ink)"
        strokeWidth="1.4"
        strokeDasharray={dashes}
      />
    </svg>
  );
}

/** A glyph as the map draws it. @param turn Degrees clockwise from up. */
function glyphPicture(glyph: Glyph, turn = 0, colour = "var(--map-ink)") {
  const points = [...glyph.lines, ...glyph.filled].flat();
  const extent = (axis: 0 | 1) => {
    const values = [
      ...points.map((point) => point[axis]),
      ...glyph.rings.flatMap((radius) => [-radius, radius]),
      -1,
      1,
    ];
    const [min, max] = [Math.min(...values), Math.max(...values)];
    return { middle: (min + max) / 2, size: max - min + 4 };
  };
  const [x, y] = [extent(0), extent(1)];
  const sideways = turn % 180 !== 0;
  const [width, height] = sideways ? [y.size, x.size] : [x.size, y.size];
  return (
    <svg
      width={width}
      height={height}
      viewBox={`${-width / 2} ${-height / 2} ${width} ${height}`}
      aria-hidden="true"
    >
      <g
        transform={`rotate(${turn}) scale(1 -1) translate(${-x.middle} ${-y.middle})`}
        fill="none"
        stroke={colour}
        strokeWidth="1.7"
      >
        {glyph.lines.map((line) => (
          <path key={pathText(line)} d={pathText(line)} />
        ))}
        {glyph.filled.map((polygon) => (
          <path key={pathText(polygon)} d={`${pathText(polygon)}Z`} fill={colour} stroke="none" />
        ))}
        {glyph.rings.map((radius) => (
          <circle key={radius} r={radius} />
        ))}
      </g>
    </svg>
  );
}

/** Names are those of components/ship/ship-icons.ts. */
type DrawShipIcon = DrawIcon<"ship-under-way" | "ship-at-anchor">;

/** The ship and its way ahead. */
function shipRows(draw: DrawShipIcon, theme: Theme | undefined, { legend }: Words): SymbolRow[] {
  return [
    [
      "ship",
      (["ship-under-way", "ship-at-anchor"] as const).map((name) => (
        <MapIcon key={name} draw={draw} name={name} theme={theme} />
      )),
      legend.ship,
    ],
    [
      "ship way",
      drawing(
        <>
          <path d="M1 16 43 4" stroke="var(--map-ink)" />
          <circle cx="22" cy="10" r="3" stroke="var(--map-ink)" fill="var(--map-halo)" />
        </>,
      ),
      legend.shipWay,
    ],
  ];
}

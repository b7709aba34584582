import type { ChartRow, FurtherRow } from "#components/ui/time-chart.tsx";
import { type Theme, type Tint, tintOf } from "#components/view-state/map-colours.ts";
import { layerName, readingOf } from "#components/view-state/overlays.ts";
import { type DrawnVariable, directionOutput, paintedOutput, periodOutput } from "#lib/catalog/colours.ts";
import type { Words } from "#lib/messages/words.ts";
import { compassLetters } from "#lib/position.ts";
import { numberIn, type Units, unitFor } from "#lib/units.ts";
import { goesTo } from "./format-conditions.ts";
import type { SeriesRow } from "./point-queries.ts";

/** A cell of the forecast table. */
export interface ForecastCell {
  text: string;
  tint?: Tint | undefined;
  /** Direction TO of the glyph before the text, degrees clockwise from north. */
  towards?: number | undefined;
}

/** A quantity of the forecast table. */
export interface ForecastRow {
  id: string;
  /** The quantity of whose glyph the direction is. */
  layer: DrawnVariable | undefined;
  /** Visible heading, and the whole one for screen readers if it differs. */
  head: string;
  spokenHead?: string;
  /** The number is in large type. */
  isLarge?: boolean;
  cellAt(row: SeriesRow): ForecastCell;
}

interface Listed {
  layer: DrawnVariable;
  isLarge?: true;
  hasDirection?: true;
  hasPeriod?: true;
  isPlain?: true;
}

/** The quantities from top to bottom. */
const listed: readonly Listed[] = [
  { layer: "wind", isLarge: true, hasDirection: true },
  { layer: "gust", isLarge: true },
  { layer: "wave", isLarge: true, hasDirection: true, hasPeriod: true },
  { layer: "swell", hasDirection: true, hasPeriod: true },
  { layer: "rain" },
  { layer: "temp" },
  { layer: "sst" },
  { layer: "current", hasDirection: true },
  { layer: "pressure", isPlain: true },
];

/** Sign of a value that is not known. */
const ABSENT = "—";

interface Asked {
  units: Units;
  theme: Theme;
  words: Words;
  /** Row of another source, such as the tide. */
  further?: FurtherRow | undefined;
}

/** The rows of the forecast table; a quantity without any value has none. */
export function forecastRows(
  series: readonly SeriesRow[],
  { units, theme, words, further }: Asked,
): ForecastRow[] {
  const { catalog, point } = words;
  const rows = listed.flatMap(({ layer, isLarge, hasDirection, hasPeriod, isPlain }): ForecastRow[] => {
    const painted = paintedOutput(layer);
    const [direction, period] = [hasDirection && directionOutput(layer), hasPeriod && periodOutput(layer)];
    const chosen = unitFor(painted.unit, units, readingOf(layer), words);
    // A tenth of a hectopascal would leave no space between the columns.
    const unit = chosen.name === "hPa" ? { ...chosen, decimals: 0 } : chosen;
    const short: Partial<Record<DrawnVariable, string>> = { temp: point.table.air, sst: point.table.sea };
    return [
      {
        id: layer,
        layer,
        ...(isLarge && { isLarge }),
        head: point.table.row({ name: short[layer] ?? layerName(layer, words), unit: unit.symbol }),
        cellAt({ conditions }) {
          const value = conditions[painted.point];
          if (typeof value !== "number") return { text: ABSENT };
          const text = numberIn(value, unit);
          // Hours without measurable rain are empty.
          if (layer === "rain" && text === numberIn(0, unit)) return { text: "" };
          return { text, tint: isPlain ? undefined : tintOf(layer, value, theme) };
        },
      },
      ...(direction
        ? [
            {
              id: `${layer} direction`,
              layer,
              head: "",
              spokenHead: catalog.outputs[direction.point],
              cellAt({ conditions }: SeriesRow): ForecastCell {
                const bearing = conditions[direction.point];
                return typeof bearing === "number"
                  ? { text: compassLetters(bearing, words), towards: goesTo(layer, conditions) }
                  : { text: ABSENT };
              },
            },
          ]
        : []),
      ...(period
        ? [
            {
              id: `${layer} period`,
              layer,
              head: point.table.row({ name: point.table.period, unit: catalog.units.s.symbol }),
              spokenHead: catalog.outputs[period.point],
              cellAt({ conditions }: SeriesRow): ForecastCell {
                const seconds = conditions[period.point];
                return { text: typeof seconds === "number" ? String(Math.round(seconds)) : ABSENT };
              },
            },
          ]
        : []),
    ];
  });
  const tide = further?.({ width: 1, titleY: 0, top: 0, bottom: 1, x: () => 0 });
  return [...rows, ...(tide ? [tideRow(tide)] : [])].filter(({ cellAt }) =>
    series.some((row) => cellAt(row).text !== ABSENT),
  );
}

const tideRow = ({ id, title, at, valueAt }: ChartRow): ForecastRow => ({
  id,
  layer: undefined,
  head: [title, at].filter(Boolean).join(" · "),
  cellAt: ({ time }) => ({ text: valueAt?.(time) ?? ABSENT }),
});

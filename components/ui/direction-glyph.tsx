/** @see towards Degrees clockwise from north. */
interface Props {
  strokes: string;
  filled: string;
  towards: number;
  isLarge?: boolean;
}

/** A glyph of the map beside a text, rotated to a direction. */
export function DirectionGlyph({ strokes, filled, towards, isLarge = false }: Props) {
  return (
    <svg
      viewBox="-8 -8 16 16"
      className={isLarge ? "size-12 shrink-0" : "ml-1 inline-block size-4 align-[-0.1875rem]"}
      aria-hidden="true"
      data-towards={towards}
    >
      <g transform={`rotate(${towards})`}>
        {strokes ? <path d={strokes} className="chart-arrow" /> : null}
        {filled ? <path d={filled} className="chart-arrow-head" /> : null}
      </g>
    </svg>
  );
}

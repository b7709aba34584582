import type { PlanVessel } from "#lib/contract/plan.ts";
import { formatNumber } from "#lib/messages/number.ts";
import { typicalTable, type WaveSide, waveSides } from "#lib/passage/polar.ts";
import { boundsText } from "./limits-form.tsx";
import { NumberField } from "./number-field.tsx";
import type { VesselFormProps } from "./vessel-props.ts";

type Table = NonNullable<PlanVessel["table"]>;

const FASTEST = 100;

/** Speeds of a motor vessel by significant height and side of the waves: typical ones until others are put in. */
export function MotorForm({ vessel, style, onChange }: VesselFormProps) {
  const { vessel: words } = style.words;
  const { language } = style.zone.words;
  const table = vessel.table ?? typicalOf(vessel.speed_kt ?? 0);
  const change = (side: WaveSide, index: number, speed: number) => {
    const speeds = table[`${side}_kt`].map((former, place) => (place === index ? speed : former));
    onChange({ table: { ...table, [`${side}_kt`]: speeds } }, "table");
  };
  return (
    <details>
      <summary>{words.table}</summary>
      <p className="text-muted text-xs">{words.tableAbout}</p>
      <p className="text-xs">{vessel.table ? words.own : words.typical}</p>
      <div className="passage-scroll">
        <table className="motor-table">
          <caption className="sr-only">{words.table}</caption>
          <thead>
            <tr>
              <th scope="col">{words.height}</th>
              {waveSides.map((side) => (
                <th key={side} scope="col">
                  {words.sides[side]}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {table.heights_m.map((height, index) => (
              <tr key={height}>
                <th scope="row">{formatNumber(height, 1, language)}</th>
                {waveSides.map((side) => (
                  <td key={side}>
                    <NumberField
                      quiet
                      label={words.cell({
                        side: words.sides[side],
                        height: formatNumber(height, 1, language),
                      })}
                      value={table[`${side}_kt`][index]}
                      low={0}
                      high={FASTEST}
                      wrong={boundsText(0, FASTEST, style)}
                      onChange={(speed) => change(side, index, speed)}
                    />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {vessel.table ? (
        <button
          type="button"
          className="button px-3"
          onClick={() => onChange({ table: undefined }, "typical table")}
        >
          {words.backToTypical}
        </button>
      ) : null}
    </details>
  );
}

/** The typical table, as a request has it. @param calm Speed in calm water, knots. */
function typicalOf(calm: number): Table {
  const { heights, head, bow, quarter, following } = typicalTable(calm);
  return {
    heights_m: [...heights],
    head_kt: [...head],
    bow_kt: [...bow],
    quarter_kt: [...quarter],
    following_kt: [...following],
  };
}

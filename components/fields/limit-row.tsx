import { Icon } from "#components/ui/icon.tsx";

/** An option of a list: its value and its label. */
type Option<Value extends string> = readonly [value: Value, title: string];

interface Props<Quantity extends string, Side extends string> {
  quantity: Quantity;
  quantities: readonly Option<Quantity>[];
  side: Side;
  sides: readonly Option<Side>[];
  /** Value as typed. */
  value: string;
  unit: string;
  /** Names of the controls, which have no visible labels. */
  labels: Readonly<Record<"quantity" | "side" | "value" | "remove", string>>;
  onChange(part: { quantity?: Quantity; side?: Side; value?: string }): void;
  /** undefined for the last row, which cannot be removed. */
  onRemove: (() => void) | undefined;
}

/** A limit on a quantity, on one line: `Gusts at most 30 kn`. */
export function LimitRow<Quantity extends string, Side extends string>(props: Props<Quantity, Side>) {
  const { quantity, quantities, side, sides, value, unit, labels, onChange, onRemove } = props;
  const optionsOf = (options: readonly Option<string>[]) =>
    options.map(([name, title]) => (
      <option key={name} value={name}>
        {title}
      </option>
    ));
  return (
    <div className="flex flex-wrap items-center gap-2">
      <select
        className="field min-w-0 flex-1 max-sm:basis-full"
        aria-label={labels.quantity}
        value={quantity}
        onChange={({ target }) => onChange({ quantity: target.value as Quantity })}
      >
        {optionsOf(quantities)}
      </select>
      <select
        className="field"
        aria-label={labels.side}
        value={side}
        onChange={({ target }) => onChange({ side: target.value as Side })}
      >
        {optionsOf(sides)}
      </select>
      <input
        className="field w-16 text-right tabular-nums"
        inputMode="decimal"
        autoComplete="off"
        aria-label={labels.value}
        value={value}
        onChange={({ target }) => onChange({ value: target.value })}
      />
      <span className="min-w-8 text-sm">{unit}</span>
      <button
        type="button"
        className="button plain"
        aria-label={labels.remove}
        disabled={onRemove === undefined}
        onClick={onRemove}
      >
        <Icon name="close" />
      </button>
    </div>
  );
}

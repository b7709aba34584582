import type { ComponentProps } from "react";
import { Icon } from "#components/ui/icon.tsx";

/** An option of a list: its value and its label. */
type Option = readonly [value: string, title: string];

interface Props {
  quantity: ComponentProps<"select">;
  quantities: readonly Option[];
  side: ComponentProps<"select">;
  sides: readonly Option[];
  value: ComponentProps<"input">;
  unit: string;
  /** Names of the controls, which have no visible labels. */
  labels: Readonly<Record<"quantity" | "side" | "value" | "remove", string>>;
  /** undefined for the last row, which cannot be removed. */
  onRemove: (() => void) | undefined;
}

/** A limit on a quantity, on one line: `Gusts at most 30 kn`. */
export function LimitRow({ quantity, quantities, side, sides, value, unit, labels, onRemove }: Props) {
  const optionsOf = (options: readonly Option[]) =>
    options.map(([name, title]) => (
      <option key={name} value={name}>
        {title}
      </option>
    ));
  return (
    <div className="flex flex-wrap items-center gap-2">
      <select className="field min-w-0 flex-1 max-sm:basis-full" aria-label={labels.quantity} {...quantity}>
        {optionsOf(quantities)}
      </select>
      <select className="field" aria-label={labels.side} {...side}>
        {optionsOf(sides)}
      </select>
      <input
        className="field w-16 text-right tabular-nums"
        inputMode="decimal"
        autoComplete="off"
        aria-label={labels.value}
        {...value}
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

import "#components/api-client/without-eval.ts";
import { TextField } from "#components/ui/text-field.tsx";
import { useWords } from "#components/words/words-context.ts";
import { watchLimits } from "#lib/contract/watch.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { type HourlyQuantity, hourlyQuantities, rowOf } from "#lib/watches/quantities.ts";
import type { DraftCondition } from "./watch-draft.ts";

interface Props {
  conditions: readonly DraftCondition[];
  watches: Messages["watches"];
  onChange(conditions: DraftCondition[]): void;
}

/** Quantities with their limits; some can be added and removed. */
export function ConditionFields({ conditions, watches, onChange }: Props) {
  const { catalog } = useWords();
  const { form, quantities } = watches;
  const units: Readonly<Record<string, { symbol: string }>> = catalog.units;
  const change = (id: number, part: Partial<DraftCondition>) =>
    onChange(conditions.map((one) => (one.id === id ? { ...one, ...part } : one)));
  const add = () => {
    const next = 1 + Math.max(100, ...conditions.map(({ id }) => id));
    onChange([...conditions, { id: next, quantity: "wind_kt", isOver: true, limit: "25" }]);
  };
  return (
    <div className="space-y-3">
      <ul className="space-y-3">
        {conditions.map(({ id, quantity, isOver, limit }) => {
          const { unit } = rowOf(quantity);
          return (
            <li key={id} className="watch-condition">
              <label className="form-field">
                {form.quantity}
                <select
                  className="field"
                  value={quantity}
                  onChange={({ target }) => change(id, { quantity: target.value as HourlyQuantity })}
                >
                  {hourlyQuantities.map((name) => (
                    <option key={name} value={name}>
                      {quantities[name]}
                    </option>
                  ))}
                </select>
              </label>
              <label className="form-field">
                {form.comparison}
                <select
                  className="field"
                  value={isOver ? "over" : "under"}
                  onChange={({ target }) => change(id, { isOver: target.value === "over" })}
                >
                  <option value="over">&gt;</option>
                  <option value="under">&lt;</option>
                </select>
              </label>
              <TextField
                label={form.limit({ unit: units[unit]?.symbol ?? unit })}
                inputMode="decimal"
                value={limit}
                onChange={(value) => change(id, { limit: value })}
              />
              <button
                type="button"
                className="toggle"
                onClick={() => onChange(conditions.filter((one) => one.id !== id))}
              >
                {form.removeCondition}
                <span className="sr-only"> {quantities[quantity]}</span>
              </button>
            </li>
          );
        })}
      </ul>
      {conditions.length < watchLimits.conditions ? (
        <button type="button" className="toggle" onClick={add}>
          {form.addCondition}
        </button>
      ) : null}
    </div>
  );
}

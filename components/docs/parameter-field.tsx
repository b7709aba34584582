import { useId } from "react";
import { useWords } from "#components/words/words-context.ts";
import type { DescribedParameter } from "#lib/contract/described-api.ts";
import { listOf } from "./known-ids.ts";

interface Props {
  parameter: DescribedParameter;
  value: string;
  /** The browser does not send the form without it. */
  required: boolean;
  /** There was none to take. */
  isNone: boolean;
  onChange(value: string): void;
  /** Takes an id from the list that has it. */
  onTake(): void;
}

/** One parameter of the request, with what it means. */
export function ParameterField({ parameter, value, required, isNone, onChange, onTake }: Props) {
  const { docs } = useWords("docs");
  const { name, words, source } = parameter;
  const id = useId();
  const list = listOf(parameter);
  const maker = source.at(-1);
  const common = {
    id: `${id}-value`,
    name,
    value,
    required,
    className: "field",
    "aria-describedby": `${id}-rules`,
  };
  return (
    <div className="docs-parameter">
      <label htmlFor={common.id} lang="en">
        {name}
        {parameter.required ? <span className="docs-note"> {docs.required}</span> : null}
      </label>
      {words ? (
        <select {...common} onChange={({ target }) => onChange(target.value)}>
          {parameter.required ? null : <option value="" />}
          {words.map((word) => (
            <option key={word}>{word}</option>
          ))}
        </select>
      ) : (
        <input
          {...common}
          autoComplete="off"
          spellCheck={false}
          onChange={({ target }) => onChange(target.value)}
        />
      )}
      <p id={`${id}-rules`} className="docs-note" lang="en">
        {[
          parameter.in === "query" ? "" : parameter.in,
          parameter.type,
          parameter.description,
          ...parameter.rules,
        ]
          .filter(Boolean)
          .join("; ")}
      </p>
      {list ? (
        <button type="button" className="toggle docs-take" onClick={onTake}>
          {docs.takeOne({ from: `${list.method} ${list.path}` })}
        </button>
      ) : null}
      {maker && (isNone || !list) ? (
        <p role="status" className="docs-note">
          <a className="underline" href={`/docs/${maker.slug}`}>
            {docs.noneYet({ from: `${maker.method} ${maker.path}` })}
          </a>
        </p>
      ) : null}
    </div>
  );
}

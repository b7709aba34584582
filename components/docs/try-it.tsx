"use client";

import { type FormEvent, useEffect, useId, useState, useSyncExternalStore } from "react";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { GUEST } from "#components/api-client/guest.ts";
import { askForKey } from "#components/api-client/key-store.ts";
import { sendAsIs } from "#components/api-client/service.ts";
import { useWords } from "#components/words/words-context.ts";
import type { DescribedOperation, DescribedParameter } from "#lib/contract/described-api.ts";
import { formatOf } from "#lib/contract/media-types.ts";
import { forgetIds, knownId, listOf, noteIds, pointedId } from "./known-ids.ts";
import { ParameterField } from "./parameter-field.tsx";
import { ReplyView } from "./reply-view.tsx";
import { exampleForm, type RequestForm, requestOf } from "./request-form.ts";
import { SnippetPanel } from "./snippet-panel.tsx";
import { useSend } from "./use-send.ts";

const noChange = () => () => {};

/** The form of an operation with its example, the programs that send it, and the reply beside it. */
export function TryIt({ operation }: { operation: DescribedOperation }) {
  const words = useWords("docs");
  const { docs } = words;
  const key = useApiKey();
  const example = exampleForm(operation);
  const [form, setForm] = useState(example);
  /** Parameters of which there was none to take. */
  const [none, setNone] = useState<readonly string[]>([]);
  const { state, send, stop } = useSend();
  const id = useId();
  // Before that a press would send the form to the address of the page.
  const isAlive = useSyncExternalStore(
    noChange,
    () => true,
    () => false,
  );
  const { parameters, method, formats, body, slug } = operation;
  const fill = (values: Readonly<Record<string, string>>) =>
    setForm((last) => ({ ...last, parameters: { ...last.parameters, ...values } }));
  useEffect(() => {
    const known = parameters.map((parameter) => [parameter.name, knownId(parameter)] as const);
    const found = known.filter((entry): entry is [string, string] => entry[1] !== undefined);
    if (found.length > 0)
      setForm((last) => ({ ...last, parameters: { ...last.parameters, ...Object.fromEntries(found) } }));
  }, [parameters]);

  const fault = body ? faultOf(form.body) : undefined;
  const request = requestOf(operation, form);
  const keyToSend = operation.needsKey ? key : undefined;
  const hasAccess = !operation.needsKey || (key !== undefined && (key !== GUEST || operation.openToVisitors));

  /** The newest id of a list. */
  const take = async (parameter: DescribedParameter): Promise<string | undefined> => {
    const list = listOf(parameter)!;
    if (!hasAccess) {
      askForKey();
      return undefined;
    }
    const sent = { method: "GET", headers: {}, key, signal: AbortSignal.timeout(30_000) };
    const reply = await sendAsIs(list.target, sent).catch(() => undefined);
    const found = reply?.ok ? pointedId(await reply.json(), list.pointer) : undefined;
    setNone((last) => last.filter((name) => name !== parameter.name).concat(found ? [] : parameter.name));
    if (found) fill({ [parameter.name]: found });
    return found;
  };

  /** What only reads takes the ids that it lacks by itself; whatever changes something is told which. */
  const takesItself = (parameter: DescribedParameter) => method === "GET" && listOf(parameter) !== undefined;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (fault !== undefined) return document.getElementById(`${id}-body`)?.focus();
    if (!hasAccess) return askForKey();
    const values = { ...form.parameters };
    for (const parameter of parameters) {
      if (!parameter.required || values[parameter.name]?.trim()) continue;
      const found = takesItself(parameter) ? await take(parameter) : undefined;
      if (!found) return;
      values[parameter.name] = found;
    }
    // Where it stands below the form.
    document.getElementById(`${id}-reply`)?.scrollIntoView({ block: "nearest" });
    const reply = await send(requestOf(operation, { ...form, parameters: values }), keyToSend);
    if (!reply || reply.status >= 300) return;
    if (method === "DELETE") forgetIds(Object.values(values));
    if (/json$/.test(reply.type)) noteIds(operation, JSON.parse(new TextDecoder().decode(reply.content)));
  };

  const fields = { form, none, takesItself, fill, take };
  return (
    <>
      <form className="docs-form" aria-labelledby={`${id}-title`} onSubmit={(event) => void submit(event)}>
        <h2 id={`${id}-title`} className="docs-heading">
          {docs.tryIt}
        </h2>
        <Parameters of={parameters.filter((parameter) => parameter.in !== "header")} {...fields} />
        {body ? (
          <div className="docs-parameter">
            <label htmlFor={`${id}-body`}>{docs.body}</label>
            <textarea
              id={`${id}-body`}
              className="docs-body"
              lang="en"
              spellCheck={false}
              rows={Math.min(22, example.body.split("\n").length + 1)}
              value={form.body}
              aria-invalid={fault !== undefined}
              aria-describedby={`${id}-fault`}
              onChange={({ target }) => setForm({ ...form, body: target.value })}
            />
            <p id={`${id}-fault`} role="status" className="docs-fault">
              {fault === undefined ? "" : docs.notJson({ reason: fault })}
            </p>
          </div>
        ) : null}
        {formats.length > 1 ? (
          <label className="docs-parameter">
            {docs.format}
            <select
              className="field"
              value={form.accept}
              onChange={({ target }) => setForm({ ...form, accept: target.value })}
            >
              {formats.map((type) => (
                <option key={type} value={type}>
                  {`${formatOf(type).name} – ${type}`}
                </option>
              ))}
            </select>
          </label>
        ) : null}
        <Parameters of={parameters.filter((parameter) => parameter.in === "header")} {...fields} />
        <div className="docs-actions">
          <button type="submit" className="button primary px-5" disabled={!isAlive}>
            {docs.send}
          </button>
          {state.is === "waiting" ? (
            <button type="button" className="button px-3" onClick={stop}>
              {docs.stop}
            </button>
          ) : null}
          {parameters.length > 0 || body ? (
            <button type="button" className="button plain px-3" onClick={() => setForm(example)}>
              {docs.reset}
            </button>
          ) : null}
        </div>
        {method === "DELETE" || method === "PUT" ? <p className="docs-note">{docs.changes}</p> : null}
      </form>
      <div className="docs-beside">
        <SnippetPanel request={request} />
        <ReplyView id={`${id}-reply`} state={state} name={slug} />
      </div>
    </>
  );
}

interface ParametersProps {
  of: readonly DescribedParameter[];
  form: RequestForm;
  none: readonly string[];
  takesItself(parameter: DescribedParameter): boolean;
  fill(values: Readonly<Record<string, string>>): void;
  take(parameter: DescribedParameter): Promise<unknown>;
}

function Parameters({ of: parameters, form, none, takesItself, fill, take }: ParametersProps) {
  const { docs } = useWords("docs");
  if (parameters.length === 0) return null;
  return (
    <fieldset className="docs-parameters">
      <legend className="sr-only">{docs.parameters}</legend>
      {parameters.map((parameter) => (
        <ParameterField
          key={parameter.name}
          parameter={parameter}
          value={form.parameters[parameter.name] ?? ""}
          required={parameter.required && !takesItself(parameter)}
          isNone={none.includes(parameter.name)}
          onChange={(value) => fill({ [parameter.name]: value })}
          onTake={() => void take(parameter)}
        />
      ))}
    </fieldset>
  );
}

/** Why a text is not JSON, as the browser says it. */
function faultOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

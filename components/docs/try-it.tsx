"use client";
import { type FormEvent, type KeyboardEvent, useEffect, useId, useState, useSyncExternalStore } from "react";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { KEY_VARIABLE } from "#components/api-client/curl.ts";
import { askForKey } from "#components/api-client/key-store.ts";
import { GUEST } from "#components/api-client/saved-replies.ts";
import { sendAsIs } from "#components/api-client/service.ts";
import { CopyButton } from "#components/ui/copy-button.tsx";
import { useInBrowser } from "#components/view-state/use-browser.ts";
import { useWords } from "#components/words/words-context.ts";
import type { DescribedOperation, DescribedParameter, Source } from "#lib/contract/described-api.ts";
import { formatOf } from "#lib/contract/media-types.ts";
import { pageStorage } from "#lib/page-storage.ts";
import { Code, ReplyView, useSend } from "./reply-view.tsx";
import {
  exampleForm,
  type PlainRequest,
  pointedId,
  type RequestForm,
  requestOf,
  type SnippetLanguage,
  snippetLanguages,
  snippetOf,
} from "./request-form.ts";

const languages = Object.keys(snippetLanguages) as SnippetLanguage[];

/** Storage of this tab; it holds nothing if the browser blocks site data. */
const tabStorage = pageStorage(() => globalThis.sessionStorage);

const STORED = "docs language";

const noChange = () => () => {};

/** Programs that send the request of the form. */
function SnippetPanel({ request }: { request: PlainRequest }) {
  const { docs } = useWords("docs");
  const origin = useSyncExternalStore(
    noChange,
    () => window.location.origin,
    () => "http://localhost:3000",
  );
  const stored = useSyncExternalStore(
    noChange,
    () => tabStorage.getItem(STORED) as SnippetLanguage | null,
    () => null,
  );
  const [chosen, setChosen] = useState<SnippetLanguage>();
  const language = chosen ?? (stored && stored in snippetLanguages ? stored : "curl");
  const id = useId();
  const text = snippetOf(language, request, origin);
  const choose = (next: SnippetLanguage) => {
    tabStorage.setItem(STORED, next);
    setChosen(next);
  };
  /** As in every tab list, arrow keys, Home and End select a tab and move the focus. */
  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>) => {
    const at = languages.indexOf(language);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    const next = languages.at(to % languages.length)!;
    choose(next);
    document.getElementById(`${id}-${next}`)?.focus();
  };
  return (
    <section className="docs-panel" aria-label={docs.program}>
      <div className="docs-bar">
        <div role="tablist" aria-label={docs.program} className="-ml-2 flex" onKeyDown={onKeyDown}>
          {languages.map((each) => (
            <button
              key={each}
              id={`${id}-${each}`}
              type="button"
              role="tab"
              className="tab"
              aria-selected={each === language}
              aria-controls={`${id}-panel`}
              tabIndex={each === language ? 0 : -1}
              onClick={() => choose(each)}
            >
              {snippetLanguages[each]}
            </button>
          ))}
        </div>
        <CopyButton className="toggle" text={() => text}>
          {docs.copy}
        </CopyButton>
      </div>
      <div id={`${id}-panel`} role="tabpanel" aria-labelledby={`${id}-${language}`}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard */}
        <pre className="docs-pre" tabIndex={0} lang="en">
          <Code text={text} />
        </pre>
      </div>
      {request.needsKey ? <p className="docs-foot">{docs.keyVariable({ variable: KEY_VARIABLE })}</p> : null}
    </section>
  );
}

const nameOf = (slug: string, pointer: string) => `docs ${slug} ${pointer}`;

/**
 * Stores the ids in a reply until the tab is closed, because forms of other operations have them in their
 * paths.
 */
function noteIds({ slug, gives }: Pick<DescribedOperation, "slug" | "gives">, reply: unknown): void {
  for (const pointer of gives) {
    const id = pointedId(reply, pointer);
    if (id) tabStorage.setItem(nameOf(slug, pointer), id);
  }
}

/** The id from an earlier reply in this tab. */
function knownId({ source }: DescribedParameter): string | undefined {
  for (const { slug, pointer } of source.toReversed()) {
    const id = tabStorage.getItem(nameOf(slug, pointer));
    if (id) return id;
  }
  return undefined;
}

/** Forgets the ids of deleted things. */
function forgetIds(ids: readonly string[]): void {
  for (const name of tabStorage.names())
    if (name.startsWith("docs ") && ids.includes(tabStorage.getItem(name)!)) tabStorage.removeItem(name);
}

/** A source that is a list and needs no ids itself. */
function listOf({ source }: DescribedParameter): Source | undefined {
  return source.find(({ method, target }) => method === "GET" && !target.includes("{"));
}
/** The form of an operation with its example, the programs that send it, and the reply. */
export function TryIt({ operation }: { operation: DescribedOperation }) {
  const words = useWords("docs");
  const { docs } = words;
  const key = useApiKey();
  const example = exampleForm(operation);
  const [form, setForm] = useState(example);
  /** Parameters for which no id was available. */
  const [none, setNone] = useState<readonly string[]>([]);
  const { state, send, stop } = useSend();
  const id = useId();
  // Until hydration a click would submit the form to the address of the page.
  const isAlive = useInBrowser();
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

  /**
   * A request that only reads fills in missing ids itself; one that changes something needs an explicit id.
   */
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
    // On narrow screens the reply is below the form.
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
              className="w-full resize-y overflow-x-auto whitespace-pre rounded-md border border-line bg-surface p-3 font-mono text-[0.8125rem] leading-[1.55] [tab-size:2] aria-[invalid=true]:border-alarm"
              lang="en"
              spellCheck={false}
              rows={Math.min(22, example.body.split("\n").length + 1)}
              value={form.body}
              aria-invalid={fault !== undefined}
              aria-describedby={`${id}-fault`}
              onChange={({ target }) => setForm({ ...form, body: target.value })}
            />
            <p
              id={`${id}-fault`}
              role="status"
              className="border-l-[0.25rem] border-l-alarm pl-2 empty:hidden"
            >
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
        <div className="flex flex-wrap gap-2">
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
    <fieldset className="grid min-w-0 grid-cols-[repeat(auto-fill,minmax(min(100%,16rem),1fr))] gap-x-5 gap-y-4">
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

/** Why a text is not JSON, in the browser's words. */
function faultOf(text: string): string | undefined {
  try {
    JSON.parse(text);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

interface Props {
  parameter: DescribedParameter;
  value: string;
  /** The browser does not submit the form without it. */
  required: boolean;
  /** No id was available. */
  isNone: boolean;
  onChange(value: string): void;
  /** Fills in an id from the list that has it. */
  onTake(): void;
}

/** One parameter of the request, with its description. */
function ParameterField({ parameter, value, required, isNone, onChange, onTake }: Props) {
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
        <button type="button" className="toggle self-start whitespace-normal" onClick={onTake}>
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

import { Fragment, useEffect, useRef, useState } from "react";
import { sendAsIs } from "#components/api-client/service.ts";
import { saveFile } from "#components/ui/save-file.ts";
import { useWords } from "#components/words/words-context.ts";
import { formatOf } from "#lib/contract/media-types.ts";
import { formatNumber } from "#lib/messages/number.ts";
import type { Words } from "#lib/messages/words.ts";
import { type PlainRequest, printValue } from "./request-form.ts";

/** Most characters of a text that are shown; the file contains all of it. */
const MAX_SHOWN = 20_000;

/** JSON larger than this is not formatted, bytes. */
const MAX_LAID_OUT = 2 ** 21;

interface Props {
  id: string;
  state: Sending;
  /** Name of a file with the answer, without its extension. */
  name: string;
}

/** A reply: status, time, size, headers and body. */
export function ReplyView({ id, state, name }: Props) {
  const words = useWords("docs");
  const { docs } = words;
  const reply = state.is === "waiting" || state.is === "replied" ? state.reply : undefined;
  return (
    // Scrolling to the reply must not leave it under the bars of a phone.
    <section id={id} className="docs-panel scroll-mt-14 scroll-mb-24" aria-label={docs.reply}>
      <div className="docs-bar">
        <h2>{docs.reply}</h2>
        <p role="status" className="flex flex-wrap gap-x-3 gap-y-0.5 pr-1.5 text-[0.8125rem] tabular-nums">
          {reply ? <Summary reply={reply} words={words} /> : null}
          {state.is === "waiting" && !reply ? docs.waiting : null}
          {state.is === "failed" ? words.access.faults.unreachable : null}
        </p>
      </div>
      {reply ? <ReplyBody reply={reply} name={name} /> : null}
      {state.is === "idle" ? <p className="docs-empty">{docs.nothingYet}</p> : null}
    </section>
  );
}

function Summary({
  reply: { status, statusText, ms, content },
  words,
}: {
  reply: ReceivedReply;
  words: Words;
}) {
  const look = status < 300 ? "text-accent" : "rounded-sm bg-alarm px-1.5 text-on-alarm";
  return (
    <>
      <span className={`font-semibold ${look}`}>
        {status} {statusText}
      </span>{" "}
      <span>{formatNumber(ms, 0, words.language)} ms</span> <span>{formatSize(content.length, words)}</span>
    </>
  );
}

function ReplyBody({ reply, name }: { reply: ReceivedReply; name: string }) {
  const words = useWords("docs");
  const { docs } = words;
  const { content, type, headers, isCut } = reply;
  const { extension, text: isText = false } = formatOf(type);
  const text = isText ? laidOut(content, type) : "";
  const size = formatSize(content.length, words);
  return (
    <>
      <details className="docs-headers">
        <summary>
          {docs.headers} <span className="docs-note">{headers.length}</span>
        </summary>
        <dl lang="en">
          {headers.map(([header, value]) => (
            <div key={header} className="flex gap-3 pb-0.5 font-mono text-[0.75rem]">
              <dt className="flex-none text-muted">{header}</dt>
              <dd className="wrap-anywhere min-w-0">{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {isText && content.length > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, also by keyboard
        <pre className="docs-pre" tabIndex={0} lang="en">
          <Code text={text.slice(0, MAX_SHOWN)} />
        </pre>
      ) : (
        <p className="docs-empty">{content.length === 0 ? docs.noBody : docs.notText}</p>
      )}
      {content.length > 0 ? (
        <div className="docs-foot">
          <button
            type="button"
            className="toggle"
            onClick={() => saveFile(`${name}.${extension}`, new Blob([content], { type }))}
          >
            {docs.download}
          </button>
          {isCut ? <p>{docs.tooLong({ most: formatSize(MAX_BYTES, words) })}</p> : null}
          {text.length > MAX_SHOWN ? (
            <p>{docs.cut({ shown: formatSize(MAX_SHOWN, words), whole: size })}</p>
          ) : null}
        </div>
      ) : null}
    </>
  );
}

/** The text of a reply; JSON is formatted with one entry per line. */
function laidOut(content: Uint8Array, type: string): string {
  const text = new TextDecoder().decode(content);
  if (!/json$/.test(type) || content.length > MAX_LAID_OUT) return text;
  try {
    return printValue(JSON.parse(text));
  } catch {
    return text;
  }
}

function formatSize(bytes: number, { language }: Words): string {
  if (bytes < 1000) return `${bytes} B`;
  const isKilo = bytes < 999_500;
  const value = bytes / (isKilo ? 1e3 : 1e6);
  return `${formatNumber(value, value < 10 ? 1 : 0, language)} ${isKilo ? "kB" : "MB"}`;
}

/** Most bytes of a reply that are read. */
const MAX_BYTES = 16 * 2 ** 20;

interface ReceivedReply {
  status: number;
  statusText: string;
  /** Media type. */
  type: string;
  headers: readonly (readonly [name: string, value: string])[];
  /** Time from the request to the last byte received so far, milliseconds. */
  ms: number;
  content: Uint8Array<ArrayBuffer>;
  /** The reply is longer than the part that was read. */
  isCut: boolean;
}

type Sending =
  | { is: "idle" }
  | { is: "waiting"; reply?: ReceivedReply }
  | { is: "replied"; reply: ReceivedReply }
  | { is: "failed" };

/** Headers that describe the answer; others concern the connection only. */
const shownHeaders = [
  "content-type",
  "location",
  "link",
  "etag",
  "retry-after",
  "ratelimit-policy",
  "ratelimit",
  "idempotent-replayed",
  "x-data-provenance",
  "x-data-age",
  "x-notification",
  "x-request-id",
];

/** Sends requests one at a time; a new request cancels the previous one. */
export function useSend() {
  const [state, setState] = useState<Sending>({ is: "idle" });
  const running = useRef<AbortController>(undefined);
  const stop = () => running.current?.abort();
  useEffect(() => () => running.current?.abort(), []);
  /** @returns The reply; undefined if there is none or it was cancelled. */
  const send = async (request: PlainRequest, key: string | undefined): Promise<ReceivedReply | undefined> => {
    stop();
    const sent = new AbortController();
    running.current = sent;
    setState({ is: "waiting" });
    let last: ReceivedReply | undefined;
    try {
      for await (const reply of received(request, key, sent.signal)) {
        if (sent.signal.aborted) return undefined;
        last = reply;
        setState({ is: "waiting", reply });
      }
    } catch {
      if (running.current !== sent) return undefined;
      if (!last) {
        setState(sent.signal.aborted ? { is: "idle" } : { is: "failed" });
        return undefined;
      }
    }
    if (last) setState({ is: "replied", reply: last });
    return last;
  };
  return { state, send, stop };
}

/** Yields the reply as it arrives: event streams piece by piece, other replies when they are complete. */
async function* received(
  { method, target, headers, body }: PlainRequest,
  key: string | undefined,
  signal: AbortSignal,
): AsyncGenerator<ReceivedReply> {
  const begin = performance.now();
  const answer = await sendAsIs(target, { method, headers, body, key, signal });
  const type = (answer.headers.get("content-type") ?? "").split(";")[0]!.trim();
  const chunks: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const replySoFar = async (): Promise<ReceivedReply> => ({
    status: answer.status,
    statusText: answer.statusText,
    type,
    headers: shownHeaders.flatMap((name) => {
      const value = answer.headers.get(name);
      return value === null ? [] : [[name, value] as const];
    }),
    ms: performance.now() - begin,
    content: new Uint8Array(await new Blob(chunks).arrayBuffer()),
    isCut: size >= MAX_BYTES,
  });
  const reader = answer.body?.getReader();
  while (reader && size < MAX_BYTES) {
    const { done, value } = await reader.read();
    if (done) break;
    chunks.push(value as Uint8Array<ArrayBuffer>);
    size += value.length;
    if (type === "text/event-stream") yield await replySoFar();
  }
  if (size >= MAX_BYTES) await reader?.cancel();
  yield await replySoFar();
}

/** Strings as in JSON, TypeScript and Python; one that is followed by a colon is a field name. */
const STRINGS = /"(?:[^"\\\n]|\\.)*"(\s*:)?/g;

/** A text with its strings highlighted. */
export function Code({ text }: { text: string }) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(STRINGS)) {
    // This string is a field name.
    if (match[1] !== undefined) continue;
    const [string] = match;
    parts.push(
      text.slice(end, match.index),
      <span key={match.index} className="text-accent">
        {string}
      </span>,
    );
    end = match.index + string.length;
  }
  return (
    <code>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text never change places
        <Fragment key={index}>{part}</Fragment>
      ))}
      {text.slice(end)}
    </code>
  );
}

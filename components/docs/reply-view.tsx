import { saveFile } from "#components/ui/save-file.ts";
import { useWords } from "#components/words/words-context.ts";
import { formatOf } from "#lib/contract/media-types.ts";
import { formatNumber } from "#lib/messages/number.ts";
import type { Words } from "#lib/messages/words.ts";
import { Code } from "./code.tsx";
import { printValue } from "./print-value.ts";
import { MAX_BYTES, type ReceivedReply, type Sending } from "./use-send.ts";

/** More of a text is not shown, characters; the file has all of it. */
const MAX_SHOWN = 20_000;

/** Larger JSON is not laid out, bytes. */
const MAX_LAID_OUT = 2 ** 21;

interface Props {
  id: string;
  state: Sending;
  /** Name for a file of the answer, without its extension. */
  name: string;
}

/** What was answered: status, time, size, headers and body. */
export function ReplyView({ id, state, name }: Props) {
  const words = useWords("docs");
  const { docs } = words;
  const reply = state.is === "waiting" || state.is === "replied" ? state.reply : undefined;
  return (
    <section id={id} className="docs-panel docs-reply" aria-label={docs.reply}>
      <div className="docs-bar">
        <h2>{docs.reply}</h2>
        <p role="status" className="docs-summary">
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
  const kind = status < 300 ? "good" : "bad";
  return (
    <>
      <span className="docs-status" data-kind={kind}>
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
            <div key={header}>
              <dt>{header}</dt>
              <dd>{value}</dd>
            </div>
          ))}
        </dl>
      </details>
      {isText && content.length > 0 ? (
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, by keyboard too
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

/** The text of a reply; of JSON an entry a line. */
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

import { Fragment } from "react";

/** Strings, comments and numbers, as JSON, TypeScript, Python and shell have them. */
const TOKENS = /("(?:[^"\\\n]|\\.)*")(\s*:)?|(-?\b\d+(?:\.\d+)?(?:[eE][+-]?\d+)?\b)/g;

/** A text with its strings, names of fields and numbers told apart. */
export function Code({ text }: { text: string }) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(TOKENS)) {
    const [whole, string, colon = "", number] = match;
    parts.push(text.slice(end, match.index));
    const kind = number ? "number" : colon ? "name" : "string";
    parts.push(
      <span key={match.index} className={`code-${kind}`}>
        {string ?? whole}
      </span>,
      colon,
    );
    end = match.index + whole.length;
  }
  return (
    <code>
      {parts.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which are never moved
        <Fragment key={index}>{part}</Fragment>
      ))}
      {text.slice(end)}
    </code>
  );
}

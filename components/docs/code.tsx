import { Fragment } from "react";

/** Strings, as JSON, TypeScript and Python have them; with a colon behind it one is the name of a field. */
const STRINGS = /"(?:[^"\\\n]|\\.)*"(\s*:)?/g;

/** A text whose strings are told apart. */
export function Code({ text }: { text: string }) {
  const parts = [];
  let end = 0;
  for (const match of text.matchAll(STRINGS)) {
    // The name of a field.
    if (match[1] !== undefined) continue;
    const [string] = match;
    parts.push(
      text.slice(end, match.index),
      <span key={match.index} className="code-string">
        {string}
      </span>,
    );
    end = match.index + string.length;
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

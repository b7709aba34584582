/** A text of the reference, what stands between backquotes as code. */
export function InlineCode({ text }: { text: string }) {
  return text.split("`").map((part, index) =>
    index % 2 === 1 ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: parts of one text, which are never moved
      <code key={index} className="docs-code">
        {part}
      </code>
    ) : (
      part
    ),
  );
}

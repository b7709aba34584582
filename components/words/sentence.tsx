import type { ReactNode } from "react";

interface Props {
  /** The sentence, with a text in place of the node. */
  of(place: string): string;
  /** What stands at that place. */
  node: ReactNode;
}

/** In no text of ours. */
const PLACE = "\0";

/** A sentence with an element in it, wherever the language puts it. */
export function Sentence({ of, node }: Props) {
  const [before, after] = of(PLACE).split(PLACE);
  return (
    <>
      {before}
      {node}
      {after}
    </>
  );
}

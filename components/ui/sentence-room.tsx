/** Keeps the room of a sentence of two lines while it is read, so that what is below does not move when it arrives. */
export function SentenceRoom() {
  return <span className="skeleton block h-10" aria-hidden="true" />;
}

import { type ReactNode, useEffect, useState } from "react";
import { useWords } from "#components/words/words-context.ts";

interface Props {
  /** Made when it is pressed. */
  text(): string;
  children: ReactNode;
  /** Shown where it could not be copied: what can be done instead. */
  otherwise?: string;
  className?: string;
}

/** How long the message stands, ms. */
const MESSAGE_MS = 4000;

/** Copies a text, and says whether that worked. */
export function CopyButton({ text, children, otherwise, className = "button px-3" }: Props) {
  const { ui } = useWords();
  const [message, setMessage] = useState("");
  useEffect(() => {
    if (!message) return;
    const timer = setTimeout(() => setMessage(""), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);
  const copy = async () => setMessage((await copyText(text())) ? ui.copied : (otherwise ?? ui.cannotCopy));
  return (
    <>
      <button type="button" className={className} onClick={() => void copy()}>
        {message || children}
      </button>
      <span role="status" className="sr-only">
        {message}
      </span>
    </>
  );
}

/** Whether a text could be copied: the clipboard needs a secure origin, which a service on a boat's own network may lack. */
export async function copyText(text: string): Promise<boolean> {
  if (!navigator.clipboard) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

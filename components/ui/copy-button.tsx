import { type ReactNode, useEffect, useState } from "react";
import { useWords } from "#components/words/words-context.ts";

interface Props {
  /** Called when the button is pressed. */
  text(): string;
  children: ReactNode;
  /** Alternative that is shown if copying failed. */
  otherwise?: string;
  className?: string;
}

/** How long the message is shown, ms. */
const MESSAGE_MS = 4000;

/** Copies a text, and reports whether that succeeded. */
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

/**
 * Copies a text. @returns Whether it succeeded; the clipboard needs a secure origin, which a service on a
 * boat's own network may lack.
 */
export async function copyText(text: string): Promise<boolean> {
  if (!navigator.clipboard) return false;
  return navigator.clipboard.writeText(text).then(
    () => true,
    () => false,
  );
}

import { useEffect, useState } from "react";

interface Props {
  /** Made when it is pressed. */
  text(): string;
  children: string;
  /** Shown where it could not be copied: what can be done instead. */
  otherwise: string;
  className?: string;
}

/** How long the message stands, ms. */
const MESSAGE_MS = 4000;

/** Copies a text, and says whether that worked. */
export function CopyButton({ text, children, otherwise, className = "button px-3" }: Props) {
  const [message, setMessage] = useState("");
  useEffect(() => {
    if (!message) return;
    const timer = setTimeout(() => setMessage(""), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);
  const copy = () => {
    // The clipboard needs a secure origin, which a service on a boat's own network may lack.
    const copied = navigator.clipboard?.writeText(text()) ?? Promise.reject(new Error("none"));
    copied.then(
      () => setMessage("Copied"),
      () => setMessage(otherwise),
    );
  };
  return (
    <>
      <button type="button" className={className} onClick={copy}>
        {message || children}
      </button>
      <span role="status" className="sr-only">
        {message}
      </span>
    </>
  );
}

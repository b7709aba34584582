import { useEffect, useState } from "react";
import { Icon } from "#components/ui/icon.tsx";

/** How long the message stands, ms. */
const MESSAGE_MS = 4000;

/** Copies the address: it holds the whole view, and never the key. */
export function ShareButton() {
  const [message, setMessage] = useState("");
  useEffect(() => {
    if (!message) return;
    const timer = setTimeout(() => setMessage(""), MESSAGE_MS);
    return () => clearTimeout(timer);
  }, [message]);
  const copy = () => {
    // The clipboard needs a secure origin, which a service on a boat's own network may lack.
    const copied = navigator.clipboard?.writeText(window.location.href) ?? Promise.reject(new Error("none"));
    copied.then(
      () => setMessage("Link copied"),
      () => setMessage("Copy it from the address bar"),
    );
  };
  return (
    <button type="button" className="button" onClick={copy}>
      <span className="flex items-center gap-1.5 px-2">
        <Icon name="share" className="size-4" />
        <span aria-live="polite">{message || "Copy link"}</span>
      </span>
    </button>
  );
}

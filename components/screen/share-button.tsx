import { useEffect, useState } from "react";
import { Icon } from "#components/ui/icon.tsx";

/** How long it says that the link was copied, ms. */
const SAID_MS = 4000;

/** Copies the address, which is the whole view and never the key. */
export function ShareButton() {
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (!said) return;
    const timer = setTimeout(() => setSaid(""), SAID_MS);
    return () => clearTimeout(timer);
  }, [said]);
  const copy = () => {
    // Clipboards need a secure origin; a service on a boat's own network may have none.
    const copied = navigator.clipboard?.writeText(window.location.href) ?? Promise.reject(new Error("none"));
    copied.then(
      () => setSaid("Link copied"),
      () => setSaid("Copy it from the address bar"),
    );
  };
  return (
    <button type="button" className="button" onClick={copy}>
      <span className="flex items-center gap-1.5 px-2">
        <Icon name="share" className="size-4" />
        <span aria-live="polite">{said || "Copy link"}</span>
      </span>
    </button>
  );
}

import { useEffect, useState } from "react";
import { ServiceError } from "#components/api-client/api-fetch.ts";

interface Props {
  error: Error;
  onRetry(): void;
}

/** A failure in words, with a way on. */
export function ErrorMessage({ error, onRetry }: Props) {
  const wait = error instanceof ServiceError && error.status === 429 ? error.retryAfter : undefined;
  return (
    <div role="alert" className="space-y-2 text-sm">
      <p>{error.message}</p>
      {wait ? <Countdown seconds={wait} /> : null}
      <div className="flex flex-wrap gap-2">
        <button type="button" className="button px-3" onClick={onRetry}>
          Try again
        </button>
        <button type="button" className="button px-3" onClick={() => void copyDetails(error)}>
          Copy details
        </button>
      </div>
    </div>
  );
}

/** "Next try in 23 s." */
export function Countdown({ seconds }: { seconds: number }) {
  const [left, setLeft] = useState(seconds);
  useEffect(() => {
    setLeft(seconds);
    const timer = setInterval(() => setLeft((last) => Math.max(0, last - 1)), 1000);
    return () => clearInterval(timer);
  }, [seconds]);
  return <p className="tabular-nums">Next try in {left} s.</p>;
}

/** For whoever is asked for help: what failed, where and when. */
async function copyDetails(error: Error): Promise<void> {
  const status = error instanceof ServiceError ? ` (${error.status})` : "";
  const text = `${error.message}${status}\n${window.location.href}\n${new Date().toISOString()}`;
  await navigator.clipboard?.writeText(text);
}

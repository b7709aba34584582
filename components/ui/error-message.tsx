import { useEffect, useState } from "react";
import { useWords } from "#components/words/words-context.ts";
import { errorText, type Fault } from "#lib/messages/fault.ts";
import { CopyButton } from "./copy-button.tsx";

interface Props {
  /** Includes the HTTP status and the seconds to wait, if there are any. */
  error: Error & { status?: number; retryAfter?: number; fault?: Fault | undefined };
  onRetry(): void;
}

const TOO_MANY_REQUESTS = 429;

/** A failure in words, with a button to retry. */
export function ErrorMessage({ error, onRetry }: Props) {
  const words = useWords();
  const { ui } = words;
  return (
    <div className="space-y-2 text-sm">
      <p role="alert">{errorText(error, words)}</p>
      {error.status === TOO_MANY_REQUESTS && error.retryAfter ? (
        <Countdown seconds={error.retryAfter} />
      ) : null}
      <div className="flex flex-wrap gap-2">
        <button type="button" className="button px-3" onClick={() => onRetry()}>
          {ui.tryAgain}
        </button>
        <CopyButton text={() => detailsOf(error)}>{ui.copyDetails}</CopyButton>
      </div>
    </div>
  );
}

/** "Next try in 23 s." */
export function Countdown({ seconds }: { seconds: number }) {
  const { ui } = useWords();
  const [{ from, passed }, setCount] = useState({ from: seconds, passed: 0 });
  if (from !== seconds) setCount({ from: seconds, passed: 0 });
  useEffect(() => {
    const next = () => setCount((count) => ({ ...count, passed: count.passed + 1 }));
    const timer = setInterval(next, 1000);
    return () => clearInterval(timer);
  }, []);
  return <p className="tabular-nums">{ui.nextTry({ seconds: Math.max(0, seconds - passed) })}</p>;
}

/** Text for a report: what failed, where and when. */
function detailsOf({ message, status }: Props["error"]): string {
  return `${message}${status === undefined ? "" : ` (${status})`}\n${window.location.href}\n${new Date().toISOString()}`;
}

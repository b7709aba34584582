import { useEffect, useState } from "react";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useWords } from "#components/words/words-context.ts";
import { type ChannelLink, channelLinkOf, followLink } from "./channel-link.ts";

/** What the link of an e-mail asks for. Opening it does nothing: programs that check mails open links too. */
export function ChannelLinkNotice({ onDone }: { onDone(): void }) {
  const { links } = useWords("channels").channels;
  const [link, setLink] = useState<ChannelLink>();
  const [state, setState] = useState<"asked" | "sending" | "done" | Error>("asked");
  useEffect(() => {
    const found = channelLinkOf(window.location.hash);
    if (!found) return;
    setLink(found);
    // Neither a bookmark nor the history has it.
    const { pathname, search } = window.location;
    window.history.replaceState(window.history.state, "", pathname + search);
  }, []);
  if (!link) return null;
  const words = links[link.purpose];
  const follow = () => {
    setState("sending");
    followLink(link).then(
      () => {
        setState("done");
        onDone();
      },
      (error: Error) => setState(error),
    );
  };
  return (
    <section className="panel-card my-4 space-y-3 rounded-lg border border-line p-4">
      <p role="status">{state === "done" ? words.done : words.text}</p>
      {state instanceof Error ? <ErrorMessage error={state} onRetry={follow} /> : null}
      {state === "asked" || state === "sending" ? (
        <button type="button" className="button primary px-4" disabled={state === "sending"} onClick={follow}>
          {words.press}
        </button>
      ) : null}
    </section>
  );
}

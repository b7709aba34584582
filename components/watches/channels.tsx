import "#components/api-client/without-eval.ts";

import { useQuery } from "@tanstack/react-query";
import { useOwnKey } from "#components/api-client/api-key.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useWords } from "#components/words/words-context.ts";
import { AddChannel } from "./add-channel.tsx";
import { CalendarAddress } from "./calendar-address.tsx";
import { ChannelLinkNotice } from "./channel-link-notice.tsx";
import { channelsQuery } from "./channel-requests.ts";
import { ChannelRow } from "./channel-row.tsx";

/** Where alerts are sent beside the inbox; without a key only what the link of an e-mail asks for. */
export function Channels() {
  const { channels: words } = useWords("channels");
  const key = useOwnKey();
  const { data, error, refetch } = useQuery({ ...channelsQuery(key ?? ""), enabled: key !== undefined });
  const read = () => void refetch();
  return (
    <>
      <ChannelLinkNotice onDone={() => key !== undefined && read()} />
      {key === undefined ? null : (
        <section aria-labelledby="channels-heading" className="mt-8">
          <h2 id="channels-heading" className="font-semibold text-lg">
            {words.heading}
          </h2>
          <p className="mt-1 text-muted text-sm">{words.intro}</p>
          {error ? <ErrorMessage error={error} onRetry={read} /> : null}
          {data === undefined && !error ? <p role="status">{words.reading}</p> : null}
          {data ? (
            <>
              {data.channels.length === 0 ? <p className="mt-3 text-sm">{words.none}</p> : null}
              <ul className="mt-3 space-y-3">
                {data.channels.map((channel) => (
                  <ChannelRow key={channel.id} channel={channel} apiKey={key} onChange={read} />
                ))}
              </ul>
              <AddChannel apiKey={key} sendsMail={data.mail} onAdded={read} />
              <CalendarAddress apiKey={key} isOpen={data.calendar} onChange={read} />
            </>
          ) : null}
        </section>
      )}
    </>
  );
}

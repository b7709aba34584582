import { useQuery } from "@tanstack/react-query";
import { Checkbox } from "#components/ui/checkbox.tsx";
import { ErrorMessage } from "#components/ui/error-message.tsx";
import { useWords } from "#components/words/words-context.ts";
import type { Channel } from "#lib/contract/channels.ts";
import type { Watch } from "#lib/contract/watch.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { NoticesChoice, useNotices } from "./browser-notices.tsx";
import { channelsQuery } from "./channels.tsx";
import type { DraftKind } from "./watch-draft.ts";

/** Channels of a watch; null means all of the owner's, as in the API. */
type Chosen = Watch["channels"];

/** Whether deliveries are attempted: the address is confirmed and the channel not disabled. */
const isUsable = ({ state }: Channel) => state === "active" || state === "failing";

const ringing = (channels: readonly Channel[], chosen: Chosen) =>
  channels.filter((channel) => isUsable(channel) && (chosen === null || chosen.includes(channel.id)));

function ringsText(
  channels: readonly Channel[],
  chosen: Chosen,
  notices: boolean,
  { rings }: Messages["watches"],
) {
  const names = ringing(channels, chosen).map(({ name }) => name);
  if (names.length > 0) return rings.by({ names: names.join(", ") });
  return notices ? rings.browserOnly : rings.silent;
}

interface SummaryProps {
  apiKey: string;
  chosen: Chosen;
}

/** The channels of a watch, as a sentence. */
export function RingsSummary({ apiKey, chosen }: SummaryProps) {
  const { watches } = useWords("watches");
  const notices = useNotices();
  const { data } = useQuery(channelsQuery(apiKey));
  return data ? (
    <p role="status" className="w-full text-sm">
      {ringsText(data.channels, chosen, notices, watches)}
    </p>
  ) : null;
}

interface Props extends SummaryProps {
  kind: DraftKind;
  onChange(chosen: Chosen): void;
  /** Opens the form for a new channel. */
  onAdd(): void;
}

/** The channels of a watch: a selection from those of its owner, and what else works here. */
export function Rings({ apiKey, chosen, kind, onChange, onAdd }: Props) {
  const { watches } = useWords("watches");
  const { channels: channelWords } = useWords("channels");
  const { rings } = watches;
  const { data, error, refetch } = useQuery(channelsQuery(apiKey));
  const usable = data?.channels.filter(isUsable) ?? [];
  const choose = (id: string, on: boolean) => {
    const ids = ringing(usable, chosen).map((channel) => channel.id);
    const next = on ? [...ids, id] : ids.filter((one) => one !== id);
    // Selecting all of them includes channels added later.
    onChange(next.length === usable.length ? null : next);
  };
  return (
    <fieldset className="min-w-0">
      <legend className="mb-1 text-muted text-xs">{rings.title}</legend>
      {error ? <ErrorMessage error={error} onRetry={() => void refetch()} /> : null}
      {data?.channels.map((channel) =>
        isUsable(channel) ? (
          <Checkbox
            key={channel.id}
            checked={chosen === null || chosen.includes(channel.id)}
            onChange={(on) => choose(channel.id, on)}
          >
            <span className="min-w-0 break-all">
              {channel.name} · {channelWords.kinds[channel.kind]}
              {channel.state === "failing" ? ` · ${channelWords.states.failing}` : ""}
            </span>
          </Checkbox>
        ) : (
          <p key={channel.id} className="break-all text-muted text-sm">
            {channel.name} · {channelWords.states[channel.state]}
          </p>
        ),
      )}
      <NoticesChoice>{rings.browser}</NoticesChoice>
      {data ? (
        <>
          {data.mail ? null : <p className="text-muted text-sm">{channelWords.add.noMail}</p>}
          <div className="mt-1 flex flex-wrap gap-2">
            <button type="button" className="toggle" onClick={onAdd}>
              {channelWords.add.heading}
            </button>
            {kind === "window" ? (
              <a className="toggle link-button" href="/inbox#calendar">
                {channelWords.calendar.heading}
              </a>
            ) : null}
          </div>
        </>
      ) : null}
    </fieldset>
  );
}

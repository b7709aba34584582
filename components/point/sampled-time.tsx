import { useClock } from "#components/view-state/clock-context.ts";
import type { Side } from "#components/view-state/compared.ts";
import { formatTime } from "#components/view-state/format-time.ts";
import { useView } from "#components/view-state/view-context.tsx";

const sides: readonly Side[] = ["a", "b"];

/** The time of the values at the point. Where two pictures are compared it names the one that the time is of, and the other one can be chosen. */
export function SampledTime({ time }: { time: number }) {
  const { zone } = useView();
  const { compare: words } = zone.words;
  const { side } = useClock();
  const text = formatTime(time, undefined, zone);
  if (!side) return <p className="text-muted text-sm tabular-nums">{text}</p>;
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1">
      <p className="text-muted text-sm tabular-nums">{words.of({ side: side.sampled, text })}</p>
      <fieldset className="flex gap-1" aria-label={words.title}>
        {sides.map((name) => (
          <button
            key={name}
            type="button"
            className="toggle max-md:min-w-11"
            aria-label={words.where[name]}
            aria-pressed={name === side.sampled}
            onClick={() => side.choose(name)}
          >
            {words.side[name]}
          </button>
        ))}
      </fieldset>
    </div>
  );
}

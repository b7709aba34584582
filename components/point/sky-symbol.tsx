import type { Sky } from "./days.ts";

const SUN =
  "M12 5.5V3M12 20v-1.5M5.5 12H3M21 12h-2.5M7.4 7.4L5.6 5.6M18.4 18.4l-1.8-1.8M7.4 16.6l-1.8 1.8M18.4 5.6l-1.8 1.8";
const CLOUD = "M7.5 17a4 4 0 0 1-.3-8a5.2 5.2 0 0 1 9.9 1.2A3.5 3.5 0 0 1 16.8 17z";

/** A picture of the sky on a 24 × 24 grid; its words are those of the surrounding component. */
export function SkySymbol({ sky, className = "size-8" }: { sky: Sky; className?: string }) {
  const drops = { rain: [9, 14], heavyRain: [7.5, 11.5, 15.5] }[sky as string] ?? [];
  const hasSun = sky === "clear" || sky === "partly";
  return (
    <svg
      viewBox="0 0 24 24"
      aria-hidden="true"
      data-sky={sky}
      className={className}
      fill="none"
      strokeWidth={1.5}
      strokeLinecap="round"
      strokeLinejoin="round"
    >
      {hasSun ? (
        <g
          className="fill-(--sun) stroke-(--sun)"
          transform={sky === "partly" ? "translate(6 -2) scale(0.75)" : undefined}
        >
          <circle cx={12} cy={12} r={4} />
          <path d={SUN} />
        </g>
      ) : null}
      {sky === "clear" ? null : (
        <path
          d={CLOUD}
          className={`stroke-muted ${sky === "partly" ? "fill-surface" : "fill-line"}`}
          transform={drops.length > 0 ? "translate(0 -3)" : sky === "partly" ? "translate(-1 2)" : undefined}
        />
      )}
      {drops.map((x) => (
        <path key={x} d={`M${x + 1} 16.5l-1.5 4`} className="stroke-accent" strokeWidth={2} />
      ))}
    </svg>
  );
}

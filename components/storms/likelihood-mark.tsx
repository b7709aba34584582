import { type Likelihood, likelihoods } from "#lib/contract/likelihoods.ts";

/** One, two or three bars in the colour of a likelihood; the words beside it say the same. */
export function LikelihoodMark({ likelihood }: { likelihood: Likelihood }) {
  const count = likelihoods.indexOf(likelihood) + 1;
  return (
    <svg width="16" height="14" aria-hidden="true" className="inline-block shrink-0">
      {likelihoods.map((step, index) => (
        <rect
          key={step}
          x={1 + 5 * index}
          y={9 - 4 * index}
          width="4"
          height={4 + 4 * index}
          fill={index < count ? `var(--map-likely-${likelihood})` : "none"}
          stroke={`var(--map-likely-${likelihood})`}
          strokeWidth="1"
        />
      ))}
    </svg>
  );
}

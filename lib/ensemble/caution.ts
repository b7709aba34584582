import type { Grid } from "@open-metocean/geo/grid";

const KM_A_DEGREE = 111;

/**
 * Sentences in English about the limits of counts, shares and statistics of the members of an ensemble.
 *
 * @param runs Runs of the ensemble, of which the coarsest grid is named; none if no run answers.
 */
export function ensembleCaution(runs: readonly { grid: Grid }[]): string {
  const raw =
    "Counts and shares are those of the raw members of one model, not calibrated probabilities: the weather may differ from all of them. " +
    "No member sees a squall or a thunderstorm";
  if (runs.length === 0) return `${raw}.`;
  const step = Math.max(...runs.map(({ grid }) => Math.max(grid.latitude.step, grid.longitude.step)));
  return `${raw}, and a grid of ${Number(step.toFixed(3))}° (${Math.round(step * KM_A_DEGREE)} km) does not see straits, capes and islands.`;
}

const KM_A_DEGREE = 111;

/**
 * A sentence in English that says what the numbers of an ensemble are not.
 *
 * @param gridSteps Steps of the grids of its runs, degrees.
 */
export function ensembleCaution(gridSteps: readonly number[]): string {
  const shares =
    "Percentages are shares of raw members, not calibrated probabilities. No member sees a squall or a thunderstorm";
  if (gridSteps.length === 0) return `${shares}.`;
  const step = Math.max(...gridSteps);
  return `${shares}, and a grid of ${Number(step.toFixed(3))}° (${Math.round(step * KM_A_DEGREE)} km) does not see straits, capes and islands.`;
}

/** What counts of members are not. */
export const MEMBERS_CAUTION =
  "Counts and shares are those of the raw members of one model, not calibrated probabilities: the weather may differ from all of them. " +
  "An ensemble sees neither squalls nor what is smaller than its grid, such as winds in straits";

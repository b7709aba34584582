/** What counts of members are not. */
export const MEMBERS_CAUTION =
  "Counts and shares are those of the raw members of one model, not calibrated probabilities: the weather may differ from all of them. " +
  "An ensemble sees neither squalls nor what is smaller than its grid, such as winds in straits";

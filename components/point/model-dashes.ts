/** Dashes of the lines of models in a chart (CSS), by the order in which the models are listed. */
const dashes = ["", "6 2", "1.5 2.5", "7 2 1.5 2", "3 3", "10 3", "7 2 1.5 2 1.5 2", "1 5"] as const;

export const modelDashes = (index: number): string => dashes[index % dashes.length]!;

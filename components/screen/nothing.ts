/**
 * In place of a part that could not be loaded, as it cannot be without a network by a page that was never used before: the
 * rest of the page stays. For parts that nobody asked for, or without which nothing else is lost.
 */
export const nothing = () => () => null;

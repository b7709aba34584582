/**
 * Replaces a part that could not be loaded, for example without a network on a page that was never used
 * before, so that the rest of the page stays usable. It is for parts that the user did not request, or that
 * nothing else depends on.
 */
export const nothing = () => () => null;

/** The route of a plan. */
export const passageRoute = {
  title: "Passage",
};

export type PassageRouteWords = typeof passageRoute;

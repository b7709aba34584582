import type { PassageRouteWords } from "../en/passage-route.ts";

export const passageRoute: PassageRouteWords = {
  title: "Törn",
};

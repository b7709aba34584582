/** Ids of the map layers whose shapes of a plan can be clicked: larger than what is drawn. */
export const PLAN_WAYPOINTS = "plan-waypoints-hit";
export const PLAN_LEGS = "plan-legs-hit";

import { NOT_FOR_NAVIGATION } from "#lib/table/table.ts";

/** What a plan does not know, in English; it is part of every answer. */
export function knowledgeOf({ withStorms }: { withStorms: boolean }): string[] {
  return [
    NOT_FOR_NAVIGATION,
    "Land is the coast of 1:10 million (Natural Earth): islets, rocks and moles are not in it, canals and rivers count as land; near coasts waves and currents are unknown",
    "Depths are those of a coarse grid and no clearance; shoals, fairways, traffic separation schemes, ice and closed areas are not looked at",
    "Forecasts end: beyond their horizon a plan goes on at the typical speed, marked no_forecast",
    "How currents change waves, leeway, surf-riding, broaching and the vessel's own motions are not computed; accelerations are those of a craft that follows the surface",
    withStorms
      ? "Storms are those of one provider as published now, with their forecasts; others may form"
      : "Tropical storms are not looked at",
  ];
}

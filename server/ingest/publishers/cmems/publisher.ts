import { publisher } from "#server/ingest/publishers/publisher.ts";
import { fields } from "./fields.ts";

/** Files of Copernicus Marine that somebody has ordered there: what is fetched has publishers of its own. */
export const cmems = publisher({
  name: "cmems",
  title: "Copernicus Marine",
  model: "Copernicus Marine",
  licence: "Copernicus Marine licence",
  credit: "Generated using E.U. Copernicus Marine Service Information",
  fields,
});

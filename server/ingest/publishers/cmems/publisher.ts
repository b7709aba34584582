import { publisher } from "#server/ingest/publishers/publisher.ts";
import { fields } from "./fields.ts";

/**
 * Files of Copernicus Marine that a user has ordered there. The products that are fetched have publishers of their own.
 */
export const cmems = publisher({
  name: "cmems",
  title: "Copernicus Marine",
  model: "Copernicus Marine",
  licence: "Copernicus Marine licence",
  credit: "Generated using E.U. Copernicus Marine Service Information",
  fields,
});

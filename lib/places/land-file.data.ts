/** Made by scripts/build-coast.ts: the file of the land in public/basemap, named by its content. */
export const LAND_FILE = "land-b3202e0c.pmtiles";

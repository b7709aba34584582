/** Made by scripts/build-coast.ts: the file of the land in public/basemap, named by its content. */
export const LAND_FILE = "land-a46cd7a2.pmtiles";

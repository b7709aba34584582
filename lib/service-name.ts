/** Name of the service, as pages, files and documents write it. */
export const SERVICE_NAME = "Open MetOcean";

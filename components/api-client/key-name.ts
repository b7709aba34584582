/** Name of the API key in the storages of the browser. */
export const KEY_NAME = "metocean-key";

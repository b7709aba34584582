import module from "node:module";
import path from "node:path";

/**
 * Stores compiled scripts between starts, which saves a third of a command's start time. They are executed, so they are
 * stored in the installation's own folder; where that is read-only, every start compiles.
 *
 * Call it before the scripts are loaded.
 */
export function enableCompileCache(): void {
  // A folder named by NODE_COMPILE_CACHE is already in use and takes precedence.
  module.enableCompileCache(path.join(import.meta.dirname, "../../node_modules/.cache/metocean"));
}

/**
 * int16 value that marks a missing value (CF `_FillValue`). It has its own file so that code that decodes
 * frames does not import the catalog.
 */
export const FILL = -32768;

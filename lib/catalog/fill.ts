/** int16 value that stands for missing (CF `_FillValue`). In a file of its own: what decodes frames needs no catalog. */
export const FILL = -32768;

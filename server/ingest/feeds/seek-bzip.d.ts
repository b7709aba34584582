declare module "seek-bzip" {
  const bunzip: {
    /** Writes the decompressed bytes; checks their sums. @param multistream Whether streams may follow one another. */
    decode(input: Uint8Array, output: { writeByte(byte: number): void }, multistream: boolean): void;
  };
  export = bunzip;
}

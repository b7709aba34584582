declare module "seek-bzip" {
  const bunzip: {
    /** Writes the unpacked bytes of one stream, and checks its checksums. @throws TypeError where it is damaged. */
    decode(
      input: InstanceType<typeof bunzip.Stream>,
      output: { writeByte(byte: number): void },
      multistream: false,
    ): void;
    /** The input of the decoder. Its method for several bytes calls the one for a single byte. */
    Stream: new () => { readByte(): number };
  };
  export = bunzip;
}

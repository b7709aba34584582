declare module "seek-bzip" {
  const bunzip: {
    /** Writes what one stream unpacks to, and checks its sums. @throws TypeError where it is damaged. */
    decode(
      input: InstanceType<typeof bunzip.Stream>,
      output: { writeByte(byte: number): void },
      multistream: false,
    ): void;
    /** What it reads from: several bytes by the method for one. */
    Stream: new () => { readByte(): number };
  };
  export = bunzip;
}

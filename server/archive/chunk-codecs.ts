/** How the chunks of an array are stored: see `ChunkCodec`. */
export const chunkCodecNames = ["plain", "planes"] as const;

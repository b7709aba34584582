/** Encodings of spreadsheets before UTF-8, by the reader's language; Windows-1252 elsewhere. */
const LEGACY: Readonly<Record<string, string>> = { ja: "shift_jis", zh: "gb18030" };

/**
 * The text of a file: by its byte-order mark, else UTF-8, else the encoding that spreadsheets of the reader's language
 * wrote before.
 *
 * @param languages Of the reader, BCP 47.
 */
export function decodeText(bytes: Uint8Array, languages: readonly string[] = []): string {
  const marked = bytes[0] === 0xff && bytes[1] === 0xfe ? "utf-16le" : "utf-16be";
  if ((bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff)) {
    return new TextDecoder(marked).decode(bytes);
  }
  return (
    decodedAs("utf-8", bytes) ?? legacyText(bytes, languages) ?? new TextDecoder("windows-1252").decode(bytes)
  );
}

function legacyText(bytes: Uint8Array, languages: readonly string[]): string | undefined {
  const [language = ""] = (languages[0] ?? "").toLowerCase().split("-");
  const encoding = LEGACY[language];
  return encoding && decodedAs(encoding, bytes);
}

/** Undefined where the bytes are not of the encoding. */
function decodedAs(encoding: string, bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}

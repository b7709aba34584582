import { latePart } from "#components/words/late-words.ts";
import { loadWords } from "#components/words/load-words.ts";
import { watchRequest } from "#lib/contract/watch.ts";
import { mails } from "#lib/messages/generated/mails.ts";
import { type Language, languageTable, preferredLanguage } from "#lib/messages/language.ts";
import { formatNumber } from "#lib/messages/number.ts";

/** The answers of a program that has the language `nl`, which it writes to standard output as JSON. */
export interface Answers {
  /** The language of a browser that asks for it. */
  preferred: string;
  /** Its name in the list of languages. */
  name: string;
  number: string;
  /** A word of every page, and of a part that is loaded later. */
  first: string;
  late: string;
  /** Whether there are words for e-mails. */
  hasMails: boolean;
  /** The language of the messages of a watch that names it. */
  watch: unknown;
}

const language = "nl" as Language;
const answers: Answers = {
  preferred: preferredLanguage("nl-BE,nl;q=0.9,en;q=0.5"),
  name: languageTable[language].name,
  number: formatNumber(1234.5, 1, language),
  first: (await loadWords(language)).catalog.layers.wind,
  late: (await latePart(language, "status")).heading,
  hasMails: Object.keys(mails[language]).length > 0,
  watch: watchRequest.shape.language.parse("nl"),
};
process.stdout.write(JSON.stringify(answers));

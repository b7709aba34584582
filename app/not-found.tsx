import { connection } from "next/server";
import { loadWords } from "#components/words/load-words.ts";
import { Sentence } from "#components/words/sentence.tsx";
import { requestLanguage } from "./request-language.ts";

export default async function NotFound() {
  // The page is rendered by the server like every page, so that its content security policy knows the scripts
  // in it.
  await connection();
  const { missing } = (await loadWords(await requestLanguage())).screen.pages;
  const link = (href: string, name: string) => (
    <a className="underline" href={href}>
      {name}
    </a>
  );
  return (
    <main className="mx-auto flex max-w-prose flex-col gap-4 p-6">
      <h1 className="font-semibold text-xl">{missing.title}</h1>
      <p>
        <Sentence
          message={missing.text}
          values={{ map: link("/", missing.map), docs: link("/docs", "/docs") }}
        />
      </p>
    </main>
  );
}

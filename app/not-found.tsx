import { connection } from "next/server";
import { createElement, Fragment } from "react";
import { loadWords } from "#components/words/load-words.ts";
import { requestLanguage } from "./request-language.ts";

export default async function NotFound() {
  // Made by the server like every page, so that its policy knows the scripts in it.
  await connection();
  const { missing } = (await loadWords(await requestLanguage())).screen.pages;
  const link = (href: string, name: string) => (
    <a className="underline" href={href}>
      {name}
    </a>
  );
  const text = missing.text({ map: (name) => link("/", name), docs: link("/docs", "/docs") });
  return (
    <main className="mx-auto flex max-w-prose flex-col gap-4 p-6">
      <h1 className="font-semibold text-xl">{missing.title}</h1>
      <p>{createElement(Fragment, null, ...text)}</p>
    </main>
  );
}

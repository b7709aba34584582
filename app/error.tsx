"use client";

import { useWords } from "#components/words/words-context.ts";

/** Replaces a page that failed to render, or of which a part could not be loaded. */
export default function PageError() {
  const { stopped } = useWords().screen.pages;
  return (
    <main className="mx-auto flex max-w-prose flex-col items-start gap-4 p-6">
      <h1 className="font-semibold text-xl">{stopped.title}</h1>
      <p role="alert">{stopped.text}</p>
      <button type="button" className="button px-3" onClick={() => window.location.reload()}>
        {stopped.reload}
      </button>
    </main>
  );
}

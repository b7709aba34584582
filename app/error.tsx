"use client";

/** Shown in place of a page that failed to render, or of which a part could not be loaded. */
export default function PageError() {
  return (
    <main className="mx-auto flex max-w-prose flex-col items-start gap-4 p-6">
      <h1 className="font-semibold text-xl">This page has stopped</h1>
      <p role="alert">
        A part of it is at fault, or could not be loaded. The view is still in the address, and tasks go on by
        themselves.
      </p>
      <button type="button" className="button px-3" onClick={() => window.location.reload()}>
        Load the page again
      </button>
    </main>
  );
}

import { type ReactNode, useState } from "react";
import { useWords } from "#components/words/words-context.ts";

interface Props {
  /** What the file is, and its formats. */
  label: string;
  /** As of an input. */
  accept: string;
  onFile(file: File): void;
  /** Other ways to put the same in. */
  children: ReactNode;
}

/** Takes a file that is chosen, or dropped on it. Its button is in the language of the page: that of a browser is in its own. */
export function FileDrop({ label, accept, onFile, children }: Props) {
  const { ui } = useWords();
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is one more way to what the field in it does
    <div
      className="file-drop"
      data-over={isOver}
      onDragOver={(event) => {
        if (!event.dataTransfer.types.includes("Files")) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        const [file] = event.dataTransfer.files;
        setOver(false);
        if (!file) return;
        event.preventDefault();
        onFile(file);
      }}
    >
      <label className="form-field">
        {label}
        <span className="button file-button">
          {ui.chooseFile}
          <input
            type="file"
            accept={accept}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) onFile(file);
              // The same file can be chosen again.
              target.value = "";
            }}
          />
        </span>
      </label>
      {children}
    </div>
  );
}

/** What a worker reads: bytes of a file, or pasted text. */
interface ReadRequest {
  content: ArrayBuffer | string;
}

/** A file that takes longer is refused: nobody waits for it. */
const MAX_READING_MS = 60_000;

/**
 * Has a worker read a file, and ends it.
 *
 * @param signal Later input replaces this one.
 * @param refused The reply where there is none of the worker.
 */
export function readInWorker<Reply>(
  worker: Worker,
  request: ReadRequest,
  signal: AbortSignal,
  refused: (code: "slow" | "notRead" | "replaced") => Reply,
): Promise<Reply> {
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const timer = setTimeout(() => resolve(refused("slow")), MAX_READING_MS);
  worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => resolve(data));
  worker.addEventListener("error", (event) => {
    event.preventDefault();
    resolve(refused("notRead"));
  });
  signal.addEventListener("abort", () => resolve(refused("replaced")));
  worker.postMessage(request, typeof request.content === "string" ? [] : [request.content]);
  return promise.finally(() => {
    clearTimeout(timer);
    worker.terminate();
  });
}

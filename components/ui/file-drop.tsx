import { type ReactNode, useState } from "react";
import { useWords } from "#components/words/words-context.ts";

interface Props {
  /** Describes the file and its formats. */
  label: string;
  /** The same as the attribute of an input. */
  accept: string;
  onFile(file: File): void;
  /** Other ways to enter the same content. */
  children: ReactNode;
}

/**
 * Accepts a selected or dropped file. Its own button replaces the browser's, which is in the browser's
 * language.
 */
export function FileDrop({ label, accept, onFile, children }: Props) {
  const { ui } = useWords();
  const [isOver, setOver] = useState(false);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: dropping is an alternative to the field inside
    <div
      className="flex flex-col gap-2.5 rounded-md border border-line border-dashed p-2.5 data-[over=true]:border-accent"
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
        <span className="button relative inline-flex w-fit items-center px-3 hover:border-accent has-focus-visible:outline-3 has-focus-visible:outline-accent has-focus-visible:outline-offset-2 has-focus-visible:outline-solid">
          {ui.chooseFile}
          {/* The browser's own input lies over the button invisibly and receives clicks, keys and dropped files. */}
          <input
            type="file"
            className="absolute inset-0 size-full opacity-0"
            accept={accept}
            onChange={({ target }) => {
              const [file] = target.files ?? [];
              if (file) onFile(file);
              // Resetting the value allows the same file to be selected again.
              target.value = "";
            }}
          />
        </span>
      </label>
      {children}
    </div>
  );
}

/** Message to a worker: bytes of a file, or pasted text. */
interface ReadRequest {
  content: ArrayBuffer | string;
}

/** Longest time for reading a file, ms; it is refused beyond that. */
const MAX_READING_MS = 60_000;

/**
 * Lets a worker read a file, and terminates it.
 *
 * @param signal Aborts when new input replaces this one.
 * @param refused The reply if the worker gives none.
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

import { CopyButton } from "#components/ui/copy-button.tsx";

/** A secret that the service shows once. */
export function ShownOnce({ title, text, copy }: { title: string; text: string; copy: string }) {
  return (
    <div className="my-3 space-y-2 rounded-lg border border-line p-3 text-sm">
      <p role="status">{title}</p>
      <div className="flex flex-wrap items-center gap-2">
        <code className="min-w-0 break-all">{text}</code>
        <CopyButton text={() => text}>{copy}</CopyButton>
      </div>
    </div>
  );
}

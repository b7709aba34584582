import { Button } from "#components/ui/button.tsx";
import { useDownloadArea } from "#components/view-state/download-area.ts";
import { useWords } from "#components/words/words-context.ts";

/** Instructions over the map while a box is being drawn, with a cancel button. */
export function AreaDrawing({ onCancel }: { onCancel(): void }) {
  const { drawing } = useWords("download").download;
  const { corner } = useDownloadArea("corner");
  return (
    <section aria-label={drawing.title} className="notice flex items-center gap-2">
      <p className="min-w-0 flex-1" role="status">
        {corner ? (
          drawing.second
        ) : (
          <>
            <span className="max-md:hidden">{drawing.byMouse}</span>
            <span className="md:hidden">{drawing.byTouch}</span>
          </>
        )}
      </p>
      <Button onClick={onCancel}>{drawing.cancel}</Button>
    </section>
  );
}

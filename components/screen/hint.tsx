import { Icon } from "#components/ui/icon.tsx";

/** How to begin, until it is closed. */
export function Hint({ onClose }: { onClose(): void }) {
  return (
    <div className="notice flex items-center gap-2 max-md:hidden">
      <p>Click the sea for conditions. Press ? on the map for its keys.</p>
      <button type="button" className="button plain" aria-label="Put the hint away" onClick={onClose}>
        <Icon name="close" className="size-4" />
      </button>
    </div>
  );
}

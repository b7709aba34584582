import { Icon } from "#components/ui/icon.tsx";

/** How to begin, until it is put away. */
export function Hint({ onClose }: { onClose(): void }) {
  return (
    <div className="notice flex items-center gap-2">
      <p>
        Click the sea for conditions.<span className="max-md:hidden"> Press ? on the map for its keys.</span>
      </p>
      <button type="button" className="button plain" aria-label="Put the hint away" onClick={onClose}>
        <Icon name="close" className="size-4" />
      </button>
    </div>
  );
}

import { Trouble } from "#components/ui/trouble.tsx";

interface Props {
  /** Title of what is drawn. */
  title: string;
  loading: boolean;
  error: Error | null | undefined;
  /** Nothing of this kind is in the archive. */
  empty: boolean;
  /** The archive has it, but not at the time shown. */
  outside: boolean;
  onRetry(): void;
}

/** What the map waits for or lacks; nothing when all is well. */
export function MapNotice({ title, loading, error, empty, outside, onRetry }: Props) {
  const quantity = title.toLowerCase();
  if (error) {
    return (
      <div className="notice">
        <Trouble error={error} onRetry={onRetry} />
      </div>
    );
  }
  if (empty) {
    return (
      <p role="status" className="notice">
        The archive has no {quantity} yet. Run <code>npm run metocean -- ingest gfs --from &lt;file&gt;</code>{" "}
        to fill it.
      </p>
    );
  }
  if (outside) {
    return (
      <p role="status" className="notice">
        The archive has no {quantity} for this time.
      </p>
    );
  }
  return loading ? (
    <p role="status" className="notice late">
      Loading {quantity}…
    </p>
  ) : null;
}

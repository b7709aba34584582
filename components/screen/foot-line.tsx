import { type ReactNode, useState } from "react";
import { DisclaimerDialog } from "./disclaimer.tsx";

interface Props {
  /** The data shown is invented. */
  synthetic?: boolean;
  /** Where the field comes from. */
  provenance?: ReactNode;
  /** Position and value under the cursor. */
  readout?: ReactNode;
}

/** The last line of a page: disclaimer, origin of the data, value under the cursor. */
export function FootLine({ synthetic = false, provenance, readout }: Props) {
  const [open, setOpen] = useState(false);
  return (
    <footer className="surface foot-line">
      <button type="button" className="shrink-0 font-semibold underline" onClick={() => setOpen(true)}>
        Not for navigation.
      </button>
      <div className="min-w-0 flex-1">{provenance}</div>
      {readout}
      {open ? <DisclaimerDialog synthetic={synthetic} onClose={() => setOpen(false)} /> : null}
    </footer>
  );
}

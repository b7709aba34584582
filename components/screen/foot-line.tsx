import { type ReactNode, useState } from "react";
import { Dialog } from "#components/ui/dialog.tsx";

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
      {open ? (
        <Dialog title="Not for navigation" onClose={() => setOpen(false)}>
          <div className="space-y-3 text-sm leading-relaxed">
            <p>
              Forecasts and analyses come from computer models and may be wrong, late or missing. Use them for
              planning only. They do not replace official forecasts, warnings (NAVTEX, SafetyNET), nautical
              charts, or the judgement of the master. In a tropical cyclone follow the responsible RSMC or
              warning centre. Sea values near coasts, in straits and in tidal waters are approximate.
            </p>
            {synthetic ? (
              <p>
                <strong>The data now shown is invented.</strong>
              </p>
            ) : null}
          </div>
        </Dialog>
      ) : null}
    </footer>
  );
}

import { Dialog } from "#components/ui/dialog.tsx";

/** What the data must not be used for. */
export function DisclaimerDialog({ synthetic, onClose }: { synthetic: boolean; onClose(): void }) {
  return (
    <Dialog title="Not for navigation" onClose={onClose}>
      <div className="space-y-3 text-sm leading-relaxed">
        <p>
          Forecasts and analyses come from computer models and may be wrong, late or missing. Use them for
          planning only. They do not replace official forecasts, warnings (NAVTEX, SafetyNET), nautical
          charts, or the judgement of the master. In a tropical cyclone follow the responsible RSMC or warning
          centre. Sea values near coasts, in straits and in tidal waters are approximate.
        </p>
        {synthetic ? (
          <p>
            <strong>The data now shown is invented.</strong>
          </p>
        ) : null}
      </div>
    </Dialog>
  );
}

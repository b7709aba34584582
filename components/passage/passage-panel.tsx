import { Suspense } from "react";
import { PassageOutlook, type PassageOutlookProps } from "./passage-outlook.tsx";
import { RouteEditor, type RouteEditorProps } from "./route-editor.tsx";

/** The plan of a passage: its route, and what it will be like. */
export function PassagePanel({ actions, ...props }: RouteEditorProps & PassageOutlookProps) {
  return (
    <Suspense>
      <div className="space-y-4">
        <RouteEditor {...props} />
        <PassageOutlook actions={actions} onShow={props.onShow} />
      </div>
    </Suspense>
  );
}

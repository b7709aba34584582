import { Suspense } from "react";
import { PassageOutlook } from "./passage-outlook.tsx";
import { PassageWordsProvider } from "./passage-words-provider.tsx";
import { RouteEditor, type RouteEditorProps } from "./route-editor.tsx";

/** The plan of a passage: its route, and what it will be like. */
export function PassagePanel(props: RouteEditorProps) {
  return (
    <Suspense>
      <PassageWordsProvider>
        <div className="space-y-4">
          <RouteEditor {...props} />
          <PassageOutlook />
        </div>
      </PassageWordsProvider>
    </Suspense>
  );
}

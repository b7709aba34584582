import { CopyButton } from "#components/ui/copy-button.tsx";
import { Icon } from "#components/ui/icon.tsx";
import { saveFile } from "#components/ui/save-file.ts";
import { usePlan } from "#components/view-state/plan.ts";
import { useWords } from "#components/words/words-context.ts";
import { usePassageWords } from "./passage-words.ts";
import { fileName, routeFiles } from "./route-files.ts";
import { linkOf } from "./route-link.ts";

/** The route as a file, and the plan as a link. */
export function RouteExport() {
  const { screen } = useWords();
  const { file: text } = usePassageWords().route;
  const { plan } = usePlan();
  const link = () => linkOf(plan, window.location.href);
  return (
    <fieldset>
      <legend className="mb-1 text-muted text-xs">{text.save}</legend>
      <div className="flex flex-wrap gap-2">
        {Object.values(routeFiles).map(({ title, extension, type, write }) => (
          <button
            key={title}
            type="button"
            className="button px-3"
            onClick={() => saveFile(fileName(plan.name, extension), new Blob([write(plan)], { type }))}
          >
            <Icon name="save" className="mr-1 size-4" />
            {title}
          </button>
        ))}
        <CopyButton text={() => link().href} otherwise={screen.link.fromAddress}>
          {text.copyLink}
        </CopyButton>
      </div>
      {link().isWhole ? null : <p className="mt-1 text-sm">{text.linkCut}</p>}
    </fieldset>
  );
}

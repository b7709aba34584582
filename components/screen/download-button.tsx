import { Icon } from "#components/ui/icon.tsx";
import { useWords } from "#components/words/words-context.ts";
import { useNavigation } from "./use-navigation.ts";

/** On the map: opens the panel that makes a file of what it shows. */
export function DownloadButton() {
  const { view } = useWords().screen;
  const { showDownload } = useNavigation();
  return (
    <button
      type="button"
      className="surface view-download"
      aria-label={view.download}
      title={view.download}
      onClick={showDownload}
    >
      <Icon name="save" />
    </button>
  );
}

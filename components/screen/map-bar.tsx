import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { useWords } from "#components/words/words-context.ts";
import { KeyInUse, KeyStatus } from "./key-status.tsx";
import { LayerChooser } from "./layer-chooser.tsx";
import { PositionSearch, SEARCH_BUTTON } from "./position-search.tsx";
import { useScreen } from "./screen-context.tsx";
import { Settings } from "./settings.tsx";
import { ShareButton, ShareChoices } from "./share-button.tsx";
import { useNavigation } from "./use-navigation.ts";

/** Top bar of the map page, left: position and layer. */
export function MapTools() {
  const { find } = useNavigation();
  return (
    <>
      <div className="max-xl:hidden">
        <PositionSearch onFound={find} />
      </div>
      <LayerChooser />
    </>
  );
}

/** Top bar of the map page, right: link, display and key; where the bar is narrow they share one menu. */
export function MapActions() {
  const { position, screen } = useWords();
  const { find } = useNavigation();
  return (
    <>
      <Menu
        id={SEARCH_BUTTON}
        className="xl:hidden"
        align="right"
        focusField
        label={position.open}
        button={<Icon name="search" className="m-2.5 size-5" />}
      >
        {(close) => (
          <PositionSearch
            onFound={(target) => {
              close();
              find(target);
            }}
          />
        )}
      </Menu>
      <div className="max-xl:hidden">
        <ShareButton />
      </div>
      <Menu align="right" className="max-xl:hidden" button={<span className="px-2">{screen.display}</span>}>
        {(close) => (
          <div className="flex flex-col gap-3">
            <Settings />
            <DialogButtons close={close} />
          </div>
        )}
      </Menu>
      <div className="max-xl:hidden">
        <KeyStatus />
      </div>
      <Menu
        className="xl:hidden"
        align="right"
        label={screen.menu}
        button={<Icon name="menu" className="m-2.5 size-5" />}
      >
        {(close) => (
          <div className="flex flex-col gap-3">
            <DialogButtons close={close} />
            <ShareChoices />
            <Settings />
            <KeyInUse />
          </div>
        )}
      </Menu>
    </>
  );
}

/** What opens the plan of a passage or a dialog. @param close Closes the menu first, so that the focus returns to its button with the end of the dialog. */
function DialogButtons({ close }: { close(): void }) {
  const { keys, pages, panel, view } = useWords().screen;
  const { showPassage, showDownload } = useNavigation();
  const { setHelpOpen, setValuesOpen, pair } = useScreen();
  const button = (title: string, open: (is: true) => void) => (
    <button
      type="button"
      className="toggle"
      onClick={() => {
        close();
        open(true);
      }}
    >
      {title}
    </button>
  );
  return (
    <div className="flex flex-wrap gap-1">
      {button(panel.passage, showPassage)}
      {button(panel.download, showDownload)}
      {button(keys.title, setHelpOpen)}
      {pair ? button(view.list, setValuesOpen) : null}
      <a className="toggle link-button" href="/inbox">
        {pages.inbox}
      </a>
    </div>
  );
}

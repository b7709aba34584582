import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { KeyInUse, KeyStatus } from "./key-status.tsx";
import { LayerChooser } from "./layer-chooser.tsx";
import { PositionSearch } from "./position-search.tsx";
import { useScreen } from "./screen-context.tsx";
import { Settings } from "./settings.tsx";
import { ShareButton, ShareChoices } from "./share-button.tsx";
import { useNavigation } from "./use-navigation.ts";

/** Top bar of the map page, left: position and layer. */
export function MapTools() {
  const { find } = useNavigation();
  return (
    <>
      <div className="max-lg:hidden">
        <PositionSearch onFound={find} />
      </div>
      <LayerChooser />
    </>
  );
}

/** Top bar of the map page, right: link, display and key; on a phone they share one menu. */
export function MapActions() {
  const { find } = useNavigation();
  const { setHelpOpen } = useScreen();
  return (
    <>
      <Menu
        className="lg:hidden"
        align="right"
        label="Go to a position"
        button={<Icon name="search" className="m-2.5 size-5" />}
      >
        {(close) => (
          <PositionSearch
            onFound={(place) => {
              close();
              find(place);
            }}
          />
        )}
      </Menu>
      <div className="max-md:hidden">
        <ShareButton />
      </div>
      <Menu align="right" className="max-md:hidden" button={<span className="px-2">Display</span>}>
        <div className="flex flex-col gap-3">
          <Settings />
          <button type="button" className="toggle" onClick={() => setHelpOpen(true)}>
            Keys of the map
          </button>
        </div>
      </Menu>
      <div className="max-md:hidden">
        <KeyStatus />
      </div>
      <Menu
        className="md:hidden"
        align="right"
        label="Menu"
        button={<Icon name="menu" className="m-2.5 size-5" />}
      >
        <div className="flex flex-col gap-3">
          <Settings />
          <ShareChoices />
          <KeyInUse />
        </div>
      </Menu>
    </>
  );
}

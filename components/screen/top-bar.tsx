import { Icon } from "#components/ui/icon.tsx";
import { Menu } from "#components/ui/menu.tsx";
import type { Theme } from "#components/view-state/themes.ts";
import type { ChangeView, Place, View } from "#components/view-state/view-url.ts";
import { KeyStatus } from "./key-status.tsx";
import { LayerChooser } from "./layer-chooser.tsx";
import { NavLinks } from "./nav-links.tsx";
import { PositionSearch } from "./position-search.tsx";
import { Settings } from "./settings.tsx";
import { ShareButton } from "./share-button.tsx";

interface Props {
  view: View;
  change: ChangeView;
  theme: Theme | undefined;
  apiKey: string | undefined;
  onFound(place: Place): void;
  onHelp(): void;
}

/** Name, position, layer, where else to go, and how things are shown. */
export function TopBar({ view, change, theme, apiKey, onFound, onHelp }: Props) {
  const settings = <Settings view={view} change={change} theme={theme} />;
  const help = (
    <button type="button" className="toggle" onClick={onHelp}>
      Keys of the map
    </button>
  );
  return (
    <header className="surface top-bar">
      <h1 className="whitespace-nowrap font-semibold max-md:text-sm max-[24rem]:sr-only">Open MetOcean</h1>
      <div className="max-lg:hidden">
        <PositionSearch onFound={onFound} />
      </div>
      <LayerChooser view={view} change={change} />
      <span className="flex-1" />
      <NavLinks className="flex gap-1 max-md:hidden" />
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
              onFound(place);
            }}
          />
        )}
      </Menu>
      <div className="max-md:hidden">
        <ShareButton />
      </div>
      <Menu align="right" className="max-md:hidden" button={<span className="px-2">Display</span>}>
        <div className="flex flex-col gap-3">
          {settings}
          {help}
        </div>
      </Menu>
      <div className="max-md:hidden">
        <KeyStatus apiKey={apiKey} />
      </div>
      <Menu
        className="md:hidden"
        align="right"
        label="Menu"
        button={<Icon name="menu" className="m-2.5 size-5" />}
      >
        <div className="flex flex-col gap-3">
          {settings}
          <div className="flex flex-wrap gap-2">
            <ShareButton />
            <KeyStatus apiKey={apiKey} />
          </div>
        </div>
      </Menu>
    </header>
  );
}

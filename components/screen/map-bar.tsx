import dynamic from "next/dynamic";
import { type ReactNode, useEffect, useState } from "react";
import { useApiKey, useOwnKey } from "#components/api-client/api-key.tsx";
import { Menu } from "#components/ui/menu.tsx";
import { nothing } from "#components/ui/nothing.ts";
import { showDownloadArea } from "#components/view-state/download-area.ts";
import { useInteracted } from "#components/view-state/use-browser.ts";
import { withWords } from "#components/words/late-words.ts";
import { useWords } from "#components/words/words-context.ts";
import { KeyInUse } from "./key-status.tsx";
import { LayerChooser } from "./layer-chooser.tsx";
import { MenuIcon, PageLinks } from "./page-shell.tsx";
import { PositionSearch } from "./position-search.tsx";
import { useScreen, useWeather } from "./screen-context.tsx";
import { useNavigation } from "./use-navigation.ts";

// These are not part of the first view; they load with the first interaction, so that the menu is complete
// when the connection is lost.
const loadSettings = () => import("./settings.tsx");
const loadShareChoices = () => import("./share-choices.tsx");
const Settings = dynamic(() => loadSettings().then((file) => file.Settings), { ssr: false });
const UnreadAlerts = dynamic(
  withWords(
    () => import("#components/watches/unread-alerts.tsx").then((file) => file.UnreadAlerts, nothing),
    "watches",
  ),
  { ssr: false },
);
const ShareChoices = dynamic(() => loadShareChoices().then((file) => file.ShareChoices), { ssr: false });

/** Top bar of the map page, left: position and layer. */
export function MapTools() {
  const { find } = useNavigation();
  return (
    <>
      <PositionSearch onFound={find} />
      <LayerChooser />
    </>
  );
}

/** Right side of the map page's top bar: everything that does not concern the map itself. */
export function SiteMenu() {
  const { access, screen, ship } = useWords();
  const { keys, link, panel, view } = screen;
  const { showTab } = useNavigation();
  const { overlays } = useScreen();
  const { isDrawn } = useWeather("isDrawn");
  const key = useApiKey();
  const ownKey = useOwnKey();
  const [unread, setUnread] = useState<string>();
  const interacted = useInteracted();
  useEffect(() => {
    if (interacted) for (const load of [loadSettings, loadShareChoices]) load().catch(() => undefined);
  }, [interacted]);
  return (
    <>
      {interacted && ownKey ? <UnreadAlerts key={ownKey} apiKey={ownKey} onText={setUnread} /> : null}
      <Menu
        align="right"
        label={unread === undefined ? screen.menu : `${screen.menu}, ${unread}`}
        button={
          <span className="relative flex items-center">
            <MenuIcon />
            <span className="pr-3 max-md:hidden">{screen.menu}</span>
            {unread === undefined ? null : (
              <span
                className="tab-badge max-md:absolute max-md:top-0 max-md:right-0 md:mr-2 md:ml-0"
                title={unread}
              />
            )}
          </span>
        }
      >
        {(close) => {
          // The menu closes first, so that the focus returns to its button when a dialog ends.
          const item = (title: string, open: () => void) => (
            <button
              type="button"
              className="nav-link"
              onClick={() => {
                close();
                open();
              }}
            >
              {title}
            </button>
          );
          const links = "mb-1 grid grid-cols-2 border-b border-b-line pb-1";
          return (
            <div className="site-menu">
              <PageLinks className={links} current="/" unread={unread} />
              <div className={links}>
                {item(ship.title, () => showTab("ship"))}
                {item(panel.download, () => showTab("download"))}
                {item(panel.saveArea, () => showDownloadArea({ wantsArea: true }))}
                {isDrawn ? item(view.list, () => overlays.change({ dialog: "values" })) : null}
                {item(keys.title, () => overlays.change({ dialog: "keys" }))}
              </div>
              <Section title={link.copy}>
                <ShareChoices />
              </Section>
              <Section title={screen.display}>
                <Settings />
              </Section>
              {key ? (
                <Section title={access.key.label}>
                  <KeyInUse />
                </Section>
              ) : null}
            </div>
          );
        }}
      </Menu>
    </>
  );
}

/** A section of the menu that unfolds; only one is open at a time. */
function Section({ title, children }: { title: string; children: ReactNode }) {
  return (
    <details
      name="site-menu"
      className="group"
      onToggle={({ currentTarget: section }) => section.open && section.scrollIntoView({ block: "nearest" })}
    >
      <summary className="nav-link cursor-pointer after:ml-auto after:content-['+'] group-open:after:content-['−']">
        {title}
      </summary>
      <div className="px-2.5 pt-1 pb-3">{children}</div>
    </details>
  );
}

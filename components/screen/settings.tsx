import { Checkbox } from "#components/ui/checkbox.tsx";
import { Choice } from "#components/ui/choice.tsx";
import { zones } from "#components/view-state/civil.ts";
import { dataUses, saveCookie, setDataUse, useDataUse } from "#components/view-state/device-setting.ts";
import { themes } from "#components/view-state/map-colours.ts";
import { saveTheme } from "#components/view-state/use-theme.ts";
import { useChangeView, useShownTheme, useView } from "#components/view-state/view-context.tsx";
import { useWords } from "#components/words/words-context.ts";
import { LANGUAGE_COOKIE, languages, languageTable } from "#lib/messages/language.ts";
import { allUnits, type Quantity, quantities } from "#lib/units.ts";
import { setSingleKeys, useSingleKeys } from "./map-keys.ts";

/** Settings of theme, units, clock, projection and keys. */
export function Settings() {
  const view = useView("u", "tz", "proj");
  const changeView = useChangeView();
  const theme = useShownTheme();
  const words = useWords();
  const { language, screen } = words;
  const { settings } = screen;
  const singleKeys = useSingleKeys();
  const dataUse = useDataUse();
  return (
    <div className="flex flex-col gap-4">
      <Choice
        title={settings.theme}
        options={themes.map((name) => [name, settings.themes[name]] as const)}
        value={theme ?? "light"}
        onChange={(th) => {
          saveTheme(th);
          changeView({ th });
        }}
      />
      {(Object.keys(quantities) as Quantity[]).map((quantity) => (
        <Choice
          key={quantity}
          title={words.catalog.quantities[quantity]}
          options={allUnits(quantity, words).map(({ name, symbol }) => [name, symbol] as const)}
          value={view.u[quantity]}
          onChange={(unit) => changeView({ u: { ...view.u, [quantity]: unit } })}
        />
      ))}
      <label className="flex flex-col gap-1">
        <span className="text-muted text-xs">{screen.language}</span>
        <select
          className="field"
          value={language}
          onChange={({ target }) => {
            saveCookie(LANGUAGE_COOKIE, target.value);
            window.location.reload();
          }}
        >
          {languages.map((code) => (
            <option key={code} value={code} lang={code}>
              {languageTable[code].name}
            </option>
          ))}
        </select>
      </label>
      <Choice
        title={settings.times}
        options={zones.map((name) => [name, settings.zones[name]] as const)}
        value={view.tz}
        onChange={(tz) => changeView({ tz })}
      />
      <Choice
        title={settings.map}
        options={[
          ["mercator", settings.projections.mercator],
          ["globe", settings.projections.globe],
        ]}
        value={view.proj}
        onChange={(proj) => changeView({ proj })}
      />
      <div className="max-w-72">
        <Choice
          title={settings.data}
          options={dataUses.map((name) => [name, settings.dataUses[name]] as const)}
          value={dataUse}
          onChange={setDataUse}
        />
        <p className="mt-1 text-muted text-xs">{settings.dataCosts[dataUse]}</p>
      </div>
      <Checkbox checked={singleKeys} onChange={setSingleKeys}>
        {settings.singleKeys}
      </Checkbox>
    </div>
  );
}

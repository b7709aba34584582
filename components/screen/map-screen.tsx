"use client";

import { ApiKeyProvider } from "#components/api-client/api-key.tsx";
import { ViewProvider } from "#components/view-state/view-context.tsx";
import { DetailsPanel } from "./details-panel.tsx";
import { KeyPrompt } from "./key-prompt.tsx";
import { MapKeysDialog } from "./map-keys-dialog.tsx";
import { MapRegion } from "./map-region.tsx";
import { MapShell } from "./map-shell.tsx";
import { ScreenProvider } from "./screen-context.tsx";
import { TimeRegion } from "./time-region.tsx";
import { WeatherProvider } from "./weather-context.tsx";

/** The map page. Each region reads what it shows from the contexts, so that only those concerned are rendered again. */
export function MapScreen() {
  return (
    <ApiKeyProvider>
      <ViewProvider>
        <WeatherProvider>
          <ScreenProvider>
            <MapShell>
              <MapRegion />
              <DetailsPanel />
              <TimeRegion />
              <MapKeysDialog />
              <KeyPrompt />
            </MapShell>
          </ScreenProvider>
        </WeatherProvider>
      </ViewProvider>
    </ApiKeyProvider>
  );
}

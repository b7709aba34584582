import { SERVICE_NAME } from "#lib/service-name.ts";
import "@fontsource-variable/inter/index.css";
import "./globals.css";
import type { Metadata, Viewport } from "next";
import { cookies, headers } from "next/headers";
import type { ReactNode } from "react";
import { Providers } from "#components/screen/providers.tsx";
import { typefaceScript } from "#components/screen/typeface.ts";
import { parseTheme, THEME_COOKIE } from "#components/view-state/map-colours.ts";
import { loadWords } from "#components/words/load-words.ts";
import { sharedApp } from "#server/operations/next-app.ts";
import { requestLanguage } from "./request-language.ts";

export async function generateMetadata(): Promise<Metadata> {
  const { screen } = await loadWords(await requestLanguage());
  return {
    title: SERVICE_NAME,
    description: screen.pages.description,
    applicationName: SERVICE_NAME,
    // If any icon is named here, Next no longer links icon.svg automatically.
    icons: { icon: "/icon.svg", apple: "/icons/apple-180.png" },
  };
}

export const viewport: Viewport = {
  width: "device-width",
  initialScale: 1,
  // The colour of the top bar in the theme that the system requests (app/themes.css).
  themeColor: [
    { media: "(prefers-color-scheme: light)", color: "#ffffff" },
    { media: "(prefers-color-scheme: dark)", color: "#18212a" },
  ],
};

export default async function RootLayout({ children }: { children: ReactNode }) {
  // The page is rendered in the chosen theme, because a page that is white at first would blind at night.
  const theme = parseTheme((await cookies()).get(THEME_COOKIE)?.value);
  const language = await requestLanguage();
  // The scripts that Next writes get it by themselves.
  const nonce = (await headers()).get("x-nonce") ?? undefined;
  const { guests, keyRequests, keyContact } = (await sharedApp()).context;
  const access = {
    guests: guests && (await guests.isOpen()) ? guests.mode : "off",
    keyRequests: keyRequests !== undefined,
    keyContact,
  } as const;
  return (
    <html lang={language} data-theme={theme} suppressHydrationWarning>
      <head>
        {/* biome-ignore lint/security/noDangerouslySetInnerHtml: React writes a script no other way; it is a constant */}
        <script nonce={nonce} dangerouslySetInnerHTML={{ __html: typefaceScript }} suppressHydrationWarning />
      </head>
      <body>
        <Providers access={access} language={language}>
          {children}
        </Providers>
      </body>
    </html>
  );
}

import "@fontsource-variable/inter/index.css";
import "./globals.css";
import type { Metadata, Viewport } from "next";
import type { ReactNode } from "react";
import { Providers } from "#components/view/providers.tsx";

export const metadata: Metadata = {
  title: "Open MetOcean",
  description: "Marine weather and ocean conditions on a map. Not for navigation.",
};

export const viewport: Viewport = { width: "device-width", initialScale: 1 };

export default function RootLayout({ children }: { children: ReactNode }) {
  return (
    <html lang="en">
      <body>
        <Providers>{children}</Providers>
      </body>
    </html>
  );
}

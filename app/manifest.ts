import type { MetadataRoute } from "next";
import { SERVICE_NAME } from "#lib/service-name.ts";

/** Name, icons and colours that the system shows for the installed page. */
export default function manifest(): MetadataRoute.Manifest {
  return {
    name: SERVICE_NAME,
    short_name: "MetOcean",
    description: "Marine weather and ocean conditions on a map. Not for navigation.",
    id: "/",
    start_url: "/",
    scope: "/",
    display: "standalone",
    background_color: "#0b5a8f",
    theme_color: "#0b5a8f",
    categories: ["weather", "navigation"],
    icons: [
      { src: "/icons/icon-192.png", sizes: "192x192", type: "image/png" },
      { src: "/icons/icon-512.png", sizes: "512x512", type: "image/png" },
      { src: "/icons/maskable-512.png", sizes: "512x512", type: "image/png", purpose: "maskable" },
      { src: "/icon.svg", sizes: "any", type: "image/svg+xml" },
    ],
    shortcuts: [
      { name: "Tasks", url: "/tasks" },
      { name: "Feeds", url: "/status" },
    ],
  };
}

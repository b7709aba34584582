/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // Pages and their files; the API compresses its own replies.
  compress: true,
  // The titles depend on the language of the request. They are made before the page is sent, so that they are in its head:
  // server/pages/next-pages.ts asks for pages by this name.
  htmlLimitedBots: /^pages$/,
  // No page uses the image optimiser: /_next/image is 404.
  images: { unoptimized: true },
  // The API answers a trailing slash as if it were not there.
  skipTrailingSlashRedirect: true,
  serverExternalPackages: ["pg", "pino", "h5wasm"],
  // `npm test` checks the types; a start on a fresh clone need not wait for it.
  typescript: { ignoreBuildErrors: true },
};

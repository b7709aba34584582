/** @type {import("next").NextConfig} */
export default {
  poweredByHeader: false,
  // server/main.ts compresses.
  compress: false,
  serverExternalPackages: [
    "@electric-sql/pglite",
    "@electric-sql/pglite-socket",
    "pglite-prisma-adapter",
    "pg",
    "pino",
    "h5wasm",
  ],
  // `npm test` checks the types; a start on a fresh clone need not wait for it.
  typescript: { ignoreBuildErrors: true },
};

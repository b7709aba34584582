import { connection } from "next/server";

export default async function NotFound() {
  // Made by the server like every page, so that its policy knows the scripts in it.
  await connection();
  return (
    <main className="mx-auto flex max-w-prose flex-col gap-4 p-6">
      <h1 className="font-semibold text-xl">There is no such page</h1>
      <p>
        The map is at{" "}
        <a className="underline" href="/">
          the start
        </a>
        , the reference of the API at{" "}
        <a className="underline" href="/docs">
          /docs
        </a>
        .
      </p>
    </main>
  );
}

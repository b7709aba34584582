import Link from "next/link";
import { connection } from "next/server";

export default async function NotFound() {
  // Rendered for each request, like every page: the nonce of the content security policy is new each time.
  await connection();
  return (
    <main className="mx-auto flex max-w-prose flex-col gap-4 p-6">
      <h1 className="font-semibold text-xl">There is no such page</h1>
      <p>
        The map is at{" "}
        <Link className="underline" href="/">
          the start
        </Link>
        , the reference of the API at{" "}
        <Link className="underline" href="/docs">
          /docs
        </Link>
        .
      </p>
    </main>
  );
}

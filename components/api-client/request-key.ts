import { apiFetch, ServiceError } from "./api-fetch.ts";
import { readJson } from "./parse-reply.ts";

/** Asks for a link to a key, which is sent to an e-mail address. @throws ServiceError */
export async function requestKey(email: string): Promise<void> {
  await apiFetch("/key_requests", { body: { email } });
}

/** Makes the key of a link. @returns Its text, which is shown nowhere else. @throws ServiceError */
export async function redeemKey(token: string): Promise<string> {
  const reply = await apiFetch("/key_requests/redeem", { body: { token } });
  const { key } = Object(await readJson(reply)) as { key?: unknown };
  if (typeof key !== "string") throw new ServiceError({ is: "keyless" }, reply.status);
  return key;
}

/** A request that the page has sent before its scripts came. */
interface FirstRequest {
  path: string;
  /** null: of a visitor. */
  key: string | null;
  reply: Promise<Response>;
}

declare global {
  var firstRequest: FirstRequest | undefined;
}

/**
 * A script for a page. It sends the request that the page begins with while its scripts are on their way, by the key that
 * they will read (components/api-client/key-store.ts). Without a key it sends none, unless visitors are let in.
 *
 * @param path Of the request, without a character that ends a script.
 * @param guests Whether visitors without a key are let in.
 */
export function firstRequestScript(path: string, guests: boolean): string {
  return `try{
const name="metocean-key";
const linked=new URLSearchParams(location.hash.slice(1)).get("key");
const key=sessionStorage.getItem(name)||localStorage.getItem(name)||linked||null;
const path=${JSON.stringify(path)};
if(key!==null||${guests}){
const reply=fetch(path,{headers:key===null?{}:{"x-api-key":key}});
reply.catch(()=>{});
window.firstRequest={path,key,reply};
}
}catch{}`;
}

/** The reply to a request that the page has sent already, once; undefined for any other request. */
export function firstReply(path: string, { method, headers }: RequestInit): Promise<Response> | undefined {
  const first = globalThis.firstRequest;
  if (!first || first.path !== path || (method ?? "GET") !== "GET") return undefined;
  globalThis.firstRequest = undefined;
  return new Headers(headers).get("x-api-key") === first.key ? first.reply : undefined;
}

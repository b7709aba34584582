import { isDeepStrictEqual } from "node:util";

/** Whether two servers did what was asked, and said the same. */
export function haveSucceededAlike([one, other]: readonly { status: number }[]): boolean {
  return one !== undefined && one.status < 300 && isDeepStrictEqual(one, other);
}

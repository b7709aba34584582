import { isIP } from "node:net";
import { z } from "zod";
import type { SourceOrder } from "#lib/catalog/source-order.ts";
import { type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import { limitForm, parseLimit } from "#lib/contract/limits.ts";

export function oneOf<const T extends string>(values: readonly T[]) {
  return z.enum(values, `one of ${values.join(", ")}`);
}

const durations = { second: 1, minute: 60, hour: 3600, day: 86_400 } as const;

/** A duration such as `7 days`, in seconds. */
export const duration = z
  .string()
  .regex(/^[1-9]\d{0,5} (second|minute|hour|day)s?$/, 'a time such as "7 days" or "12 hours"')
  .transform((text) => {
    const [count, unit = ""] = text.split(" ");
    return Number(count) * durations[unit.replace(/s$/, "") as keyof typeof durations];
  });

/** A rate limit such as `600 per 1 minute`. */
export const rateLimit = z.string().transform((text, context) => {
  const limit = parseLimit(text);
  if (limit) return limit;
  context.addIssue({ code: "custom", message: limitForm });
  return z.NEVER;
});

/** A duration such as `90 days`, in seconds, or `none`. */
export const retention = z.union([z.literal("none").transform(() => 0), duration], {
  error: '"none", or a time such as "90 days"',
});

const byteUnits = { MB: 1e6, GB: 1e9, TB: 1e12 } as const;

/** A size such as `20 GB`, in bytes. */
export const byteCount = z
  .string()
  .regex(/^[1-9]\d{0,5} ?(MB|GB|TB)$/, 'an amount such as "20 GB"')
  .transform((text) => Number.parseInt(text, 10) * byteUnits[text.slice(-2) as keyof typeof byteUnits]);

/** A whole number in decimal digits: no sign, no exponent, no spaces. */
export function whole(min: number, max: number) {
  const message = `a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .refine((value) => value >= min && value <= max, message);
}

/** A port; 0 takes a free one. */
export const port = whole(0, 65_535);

/**
 * An API key. It has only characters that a header allows without quoting, and is too long to be guessed within the
 * limit on failed keys.
 */
export const keyText = z
  .string()
  .regex(/^[\x21-\x7e]{8,200}$/, "8 to 200 visible ASCII characters without spaces; best 32 random ones");

/** `none`, or networks and addresses separated by commas. @returns Their normalised texts. */
export const networkList = z.string().transform((text, context) => {
  const texts = text === "none" ? [] : text.split(",").map((each) => each.trim());
  if (texts.every(isNetwork)) return texts;
  context.addIssue({ code: "custom", message: '"none", or networks such as "192.168.1.0/24, fd00::/8"' });
  return z.NEVER;
});

function isNetwork(text: string): boolean {
  const [, address = "", prefix = "0"] = /^([^/]*)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  return isIP(address) !== 0 && Number(prefix) <= (isIP(address) === 4 ? 32 : 128);
}

const MAILBOX_FORM =
  "imaps://user:password@host:port/folder, or imap://…; in user and password @ is %40, : is %3A and / is %2F";

/** URL of a mailbox that is read by IMAP. */
export const mailboxUrl = z
  .string()
  .regex(/^imaps?:\/\/[^\s/:@]+:[^\s/:@]+@[^\s/@?#]+(\/[^\s?#]*)?$/, MAILBOX_FORM)
  .refine((url) => URL.canParse(url) && isDecodable(url), MAILBOX_FORM);

function isDecodable(url: string): boolean {
  try {
    decodeURIComponent(url);
    return true;
  } catch {
    return false;
  }
}

/** `none`, or e-mail addresses and domains separated by commas. @returns Them in small letters. */
export const senderList = z.string().transform((text, context) => {
  const texts = text === "none" ? [] : text.split(",").map((each) => each.trim().toLowerCase());
  if (texts.every((each) => /^[^\s@,<>]*@[^\s@,<>.]+(\.[^\s@,<>.]+)*$/.test(each))) return texts;
  context.addIssue({
    code: "custom",
    message: '"none", or addresses and domains such as "skipper@example.org, @boat.example.org"',
  });
  return z.NEVER;
});

type SettingName = `SOURCES_${Uppercase<VariableName>}`;

/** Name of the setting for the order of sources of a variable. */
export function settingOf<N extends VariableName>(name: N): `SOURCES_${Uppercase<N>}` {
  return `SOURCES_${name.toUpperCase()}` as `SOURCES_${Uppercase<N>}`;
}

/** `b,a`: names of sources, best first. Which sources have the variable is not known here. */
const namesOfSources = z
  .string()
  .transform((text) => text.split(",").map((name) => name.trim()))
  .optional();

/** A setting for each variable that changes with time. */
export const sourceSettings = Object.fromEntries(
  variableNames.filter((name) => !variable(name).static).map((name) => [settingOf(name), namesOfSources]),
) as Record<SettingName, typeof namesOfSources>;

/** The orders of sources that the settings give. */
export function readSourceOrder(
  read: Partial<Readonly<Record<SettingName, string[]>>>,
): Partial<SourceOrder> {
  const given = variableNames.map((name) => [name, read[settingOf(name)]] as const);
  return Object.fromEntries(given.filter(([, names]) => names !== undefined));
}

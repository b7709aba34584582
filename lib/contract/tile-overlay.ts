import { z } from "zod";
import { languages } from "#lib/messages/language.ts";

const text = z.string().min(1).max(200);
const zoom = z.int().min(0).max(24);

/** Placeholders of the column, row and zoom of a tile, and that of the box of a tile, which WMS servers need. */
const positions = [["{z}", "{x}", "{y}"], ["{bbox-epsg-3857}"]];
/** Placeholders of the time of a picture, UTC. */
const times = ["{time}", "{YYYY}", "{MM}", "{DD}", "{HH}", "{mm}"];

/** Longest address. */
const MAX_ADDRESS = 1000;

const tiles = z
  .string()
  .max(MAX_ADDRESS)
  .refine(isHttp, "an address that begins with https:// or http:// and a host without placeholders")
  .refine(isBare, "an address without user and password")
  .refine(
    (address) => unknownPlaceholders(address).length === 0,
    `there are the placeholders ${[...positions.flat(), ...times].join(" ")} and no others`,
  )
  .refine(
    (address) => positions.some((needed) => needed.every((each) => address.includes(each))),
    "it needs {z}, {x} and {y}, or {bbox-epsg-3857}",
  );

function isHttp(address: string): boolean {
  const [, host = "{"] = /^https?:\/\/([^/?#]*)/.exec(address) ?? [];
  return !host.includes("{") && URL.canParse(address);
}

function isBare(address: string): boolean {
  const url = URL.parse(address);
  return (url?.username ?? "") === "" && (url?.password ?? "") === "";
}

const unknownPlaceholders = (address: string) =>
  (address.match(/\{[^}]*\}?/g) ?? []).filter((each) => ![...positions.flat(), ...times].includes(each));

/** A file of DATA_DIR/overlays: tiles of another service, which a visitor can draw over the map. */
export const tileOverlayFile = z
  .strictObject({
    /** One title for all languages, or one per language with `en` among them. */
    title: z.union([
      text,
      z
        .partialRecord(z.enum(languages), text)
        .refine(({ en }) => en !== undefined, "a title in English is needed: en"),
    ]),
    /** The line that the licence requires. */
    credit: text,
    tiles,
    /** Side of a tile, pixels. */
    tileSize: z.union([z.literal(256), z.literal(512)]).default(256),
    /** Zooms for which the server has tiles; the last ones are enlarged beyond. */
    zooms: z
      .tuple([zoom, zoom])
      .refine(([from, to]) => from <= to, "the lower zoom first")
      .default([0, 19]),
    opacity: z.number().gt(0).max(1).default(1),
    /** Only for pictures of a time, which the address then names. */
    time: z
      .strictObject({
        /** Minutes between pictures, counted from midnight UTC. */
        every: z.int().min(1).max(1440),
        /** Minutes after its time at which a picture is available. */
        delay: z.int().min(0).max(2880).default(0),
        /** Hours for which pictures remain available. */
        keep: z.number().min(1).max(1e6).default(24),
      })
      .optional(),
  })
  .refine((overlay) => (overlay.time !== undefined) === hasTime(overlay.tiles), {
    path: ["time"],
    message: "`time` and a placeholder of the time in `tiles` need each other",
  })
  .refine((overlay) => !/\{(HH|mm)\}/.test(overlay.tiles) || overlay.tiles.includes("{DD}"), {
    path: ["tiles"],
    message: "{HH} and {mm} need {DD}: otherwise the picture of another day would be drawn",
  });

const hasTime = (address: string) => times.some((each) => address.includes(each));

/** An overlay as the page has it. Its id is the name of its file. */
export type TileOverlay = z.infer<typeof tileOverlayFile> & { id: string };

/** Origin of the server of an overlay, as a content security policy names it. */
export function originOf({ tiles: address }: Pick<TileOverlay, "tiles">): string {
  return new URL(address).origin;
}

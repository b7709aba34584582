import type { PlaceKind } from "#lib/places/gazetteer.ts";
import type { InvalidReason, UnclearReason } from "#lib/positions/read-position.ts";
import { plural } from "../plural.ts";

/** The search for a position or the name of a place. */
export const position = {
  field: "Position",
  placeholder: "48 30N 005 10W or a place",
  open: "Go to a position",
  submit: "Go to the position",
  places: "Places",
  found: (count: number) =>
    plural("en", count, { one: "1 place below the field.", other: `${count} places below the field.` }),
  notLoaded:
    "The list of places could not be loaded. A position such as 48 30N 005 10W can be written all the same.",
  kinds: {
    ocean: "Ocean",
    sea: "Sea, bay or strait",
    cape: "Cape",
    island: "Island",
    port: "Port",
    town: "Town on the coast",
  } satisfies Record<PlaceKind, string>,
  /** `Port, France`. */
  inRegion: ({ kind, region }: { kind: string; region: string }) => `${kind}, ${region}`,
  /** What a person reads when a position cannot be used. */
  invalid: {
    empty: "Write a position such as 48 30N 005 10W, or the name of a port, a cape or a sea.",
    name: "No place of that name is known here. Write another name, or a position such as 48 30N 005 10W.",
    words:
      "This has a word or a sign that no position has. Write it like 48 30N 005 10W, 48°30.5′N 5°10′W or 48.5, −5.17.",
    half: "The other half of the position is missing. Write latitude and longitude, like 48 30N 005 10W.",
    twice: "Latitude or longitude is named twice. Write each once, like 48 30N 005 10W.",
    numbers:
      "Which numbers are the latitude cannot be told. Put a comma between the halves or letters after them, like 48 30N, 005 10W.",
    minutes: "Minutes and seconds go up to 59.999.",
    "latitude-range": "The latitude should be between 90° south and 90° north.",
    "longitude-range": "The longitude should be between 180° west and 180° east, or 0° to 360° east.",
    "sign-and-letter": "There is a minus sign and a letter for the same half: leave one of them out.",
    "missing-number": "A letter has no number. Write it like 48 30N 005 10W.",
  } satisfies Record<InvalidReason, string>,
  /** Before the readings of a position that has several. */
  unclear: {
    "letter-o": "O is west in some languages and east in others. Choose which is meant:",
    "no-letter": "One half has a letter and the other has none. Choose which is meant:",
    comma: "A comma may be the decimal sign or stand between two numbers. Choose which is meant:",
    hyphen: "The hyphen may be a minus sign. Choose which is meant:",
    order: "The first number is too large for a latitude. Is this place meant?",
  } satisfies Record<UnclearReason, string>,
};

export type PositionWords = typeof position;

import type { ShipWords } from "../en/ship.ts";

export const ship: ShipWords = {};

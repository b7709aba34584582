export const ship = {};

export type ShipWords = typeof ship;

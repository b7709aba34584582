/** The strongest wind at sea of one part of the Earth, by which the map chooses what it shows first. */
export type StrongWind = readonly [latitude: number, longitude: number, knots: number];

import { cos, type Form, sin } from "./wave-forms.ts";

const everywhere = (latitude: number) => cos(latitude);
const middleLatitudes = (latitude: number) => 4 * cos(latitude) ** 2 * sin(latitude) ** 2;
const tropics = (latitude: number) => cos(latitude) ** 4;

/** Eastward wind, m s-1: westerlies near 45°, trade winds, weak easterlies at the poles. */
export const eastward: Form = {
  mean: (latitude) => -7 * cos(3 * latitude) * cos(latitude),
  waves: [
    { amplitude: 4, zonal: 5, degreesADay: 50, phase: 20, shape: middleLatitudes },
    { amplitude: 2, zonal: 3, degreesADay: -12, phase: 140, shape: tropics },
  ],
};

export const northward: Form = {
  mean: (latitude) => -2.5 * sin(2 * latitude) * cos(latitude),
  waves: [
    { amplitude: 6, zonal: 5, degreesADay: 50, phase: 110, shape: middleLatitudes },
    { amplitude: 1.5, zonal: 4, degreesADay: 16, phase: 250, shape: everywhere },
  ],
};

/** Rain, kg m-2 h-1, never negative. */
export const rain: Form = {
  mean: (latitude) => 0.1 + 0.5 * cos(latitude) ** 2,
  waves: [
    { amplitude: 0.3, zonal: 5, degreesADay: 50, phase: 60, shape: (latitude) => cos(latitude) ** 2 },
    { amplitude: 0.15, zonal: 2, degreesADay: -720, phase: 10, shape: (latitude) => cos(latitude) ** 2 },
  ],
};

/** CAPE, J kg-1. */
export const cape: Form = {
  mean: (latitude) => 20 + 1400 * tropics(latitude),
  waves: [
    { amplitude: 700, zonal: 4, degreesADay: 30, phase: 200, shape: tropics },
    { amplitude: 500, zonal: 1, degreesADay: -360, phase: 45, shape: tropics },
  ],
};

/** Air temperature, °C, with a daily cycle. */
export const warmth: Form = {
  mean: (latitude) => 27 - 50 * sin(latitude) ** 2,
  waves: [
    { amplitude: 5, zonal: 5, degreesADay: 50, phase: 300, shape: middleLatitudes },
    { amplitude: 2.5, zonal: 1, degreesADay: -360, phase: 30, shape: everywhere },
  ],
};

/** Cloud cover, %. */
export const cloud: Form = {
  mean: (latitude) => 50 + 12 * cos(6 * latitude),
  waves: [
    { amplitude: 25, zonal: 5, degreesADay: 50, phase: 75, shape: middleLatitudes },
    { amplitude: 10, zonal: 7, degreesADay: -40, phase: 190, shape: tropics },
  ],
};

/** Pressure, hPa: high near 30°, low near 60°. */
export const pressure: Form = {
  mean: (latitude) => 1011 - 7 * cos(6 * latitude) * cos(latitude),
  waves: [
    { amplitude: 14, zonal: 5, degreesADay: 50, phase: 250, shape: middleLatitudes },
    { amplitude: 1.2, zonal: 2, degreesADay: -720, phase: 0, shape: tropics },
  ],
};

/** Significant height of the swell, m. */
export const swellHeight: Form = {
  mean: (latitude) => 1.2 + 1.6 * middleLatitudes(latitude),
  waves: [{ amplitude: 0.7, zonal: 4, degreesADay: 24, phase: 15, shape: everywhere }],
};

/** Significant height of the wind sea, m. */
export const windSeaHeight: Form = {
  mean: (latitude) => 0.8 + 0.9 * middleLatitudes(latitude),
  waves: [{ amplitude: 0.5, zonal: 5, degreesADay: 50, phase: 130, shape: everywhere }],
};

/** Mean periods, s. */
export const swellPeriod: Form = {
  mean: (latitude) => 11 + 1.5 * middleLatitudes(latitude),
  waves: [{ amplitude: 1, zonal: 3, degreesADay: 15, phase: 80, shape: everywhere }],
};

export const windSeaPeriod: Form = {
  mean: (latitude) => 5 + middleLatitudes(latitude),
  waves: [{ amplitude: 0.8, zonal: 5, degreesADay: 50, phase: 170, shape: everywhere }],
};

export const wavePeriod: Form = {
  mean: (latitude) => 8 + 1.2 * middleLatitudes(latitude),
  waves: [{ amplitude: 0.9, zonal: 4, degreesADay: 24, phase: 220, shape: everywhere }],
};

/**
 * Deviation of a direction from the longitude, degrees. Directions go once around the compass on the way around the
 * globe.
 */
export const turning: Form = {
  mean: (latitude) => 40 * sin(2 * latitude),
  waves: [{ amplitude: 25, zonal: 3, degreesADay: 20, phase: 0, shape: everywhere }],
};

/** Currents with the semidiurnal tide, m s-1. */
export const currentEast: Form = {
  mean: (latitude) => 0.35 * cos(4 * latitude) * cos(latitude),
  waves: [
    { amplitude: 0.3, zonal: 8, degreesADay: 3, phase: 55, shape: everywhere },
    { amplitude: 0.12, zonal: 2, degreesADay: -695.6, phase: 0, shape: everywhere },
  ],
};

export const currentNorth: Form = {
  mean: () => 0,
  waves: [
    { amplitude: 0.3, zonal: 8, degreesADay: 3, phase: 145, shape: everywhere },
    { amplitude: 0.1, zonal: 2, degreesADay: -695.6, phase: 90, shape: everywhere },
  ],
};

/** Sea temperature, °C. */
export const seaWarmth: Form = {
  mean: (latitude) => 28 - 29 * sin(latitude) ** 2,
  waves: [{ amplitude: 1.2, zonal: 6, degreesADay: 2, phase: 100, shape: everywhere }],
};

/** Depth of the sea floor, m, constant in time. */
export const depth: Form = {
  mean: (latitude) => 3200 + 500 * cos(3 * latitude),
  waves: [{ amplitude: 1500, zonal: 3, degreesADay: 0, phase: 30, shape: everywhere }],
};

/** A wind sea exists where this is above zero. The boundary moves with the weather. */
export const windSeaThere: Form = {
  mean: () => 0.2,
  waves: [{ amplitude: 1, zonal: 5, degreesADay: 50, phase: 130, shape: everywhere }],
};

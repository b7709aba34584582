type Place = readonly [latitude: number, longitude: number];

/** Spreading axes of the mid-ocean ridges. */
export const ridges: readonly (readonly Place[])[] = [
  // Mid-Atlantic
  [
    [64, -21],
    [60, -29],
    [53, -35],
    [45, -28],
    [38, -30],
    [30, -42],
    [23, -45],
    [15, -46],
    [10, -41],
    [2, -30],
    [0, -20],
    [-8, -13],
    [-20, -12],
    [-35, -16],
    [-48, -10],
    [-54, 0],
    [-52, 15],
    [-50, 25],
  ],
  // South-west Indian
  [
    [-50, 25],
    [-40, 45],
    [-32, 58],
    [-25, 70],
  ],
  // South-east Indian and Pacific-Antarctic, to the East Pacific Rise
  [
    [-25, 70],
    [-38, 78],
    [-46, 96],
    [-50, 120],
    [-52, 140],
    [-62, 160],
    [-65, 185],
    [-56, 225],
    [-45, 248],
    [-30, 248],
    [-10, 250],
    [0, 258],
    [10, 256],
    [20, 252],
  ],
  // Carlsberg
  [
    [-25, 70],
    [-10, 67],
    [2, 66],
    [10, 58],
    [14, 50],
  ],
];

/** Axes of the deep-sea trenches. */
export const trenches: readonly (readonly Place[])[] = [
  // Aleutian
  [
    [58, -147],
    [54, -158],
    [51.3, -170],
    [50.8, 180],
    [52.5, 170],
  ],
  // Kuril-Kamchatka, Japan, Izu-Bonin, Mariana
  [
    [55, 163.5],
    [49, 158],
    [44, 150.5],
    [40, 144.3],
    [35, 142],
    [30, 142.7],
    [24, 143.5],
    [18, 147.5],
    [12, 144],
    [11.3, 142],
  ],
  // Ryukyu and Philippine
  [
    [27, 130],
    [24, 127],
  ],
  [
    [14, 126],
    [9, 127.3],
    [5, 128],
  ],
  // Sunda
  [
    [14, 92.3],
    [5, 93],
    [-2, 98],
    [-7, 104],
    [-10, 111],
    [-11, 119],
  ],
  // Tonga-Kermadec
  [
    [-15.5, 187],
    [-22, 185],
    [-30, 183],
    [-36, 180.5],
  ],
  // New Britain, Solomon, New Hebrides
  [
    [-6, 151],
    [-7, 155],
    [-11, 162],
  ],
  [
    [-13, 166],
    [-19, 168],
    [-22, 171],
  ],
  // Peru-Chile and Middle America
  [
    [-4, -82],
    [-12, -79],
    [-18, -73.5],
    [-24, -71.3],
    [-34, -73.2],
  ],
  [
    [17, -102],
    [13, -91.5],
    [9, -85],
  ],
  // Puerto Rico and South Sandwich
  [
    [19.8, -68],
    [19.7, -63],
    [16.5, -59.5],
  ],
  [
    [-55, -28],
    [-57.5, -24.5],
    [-60.5, -26],
  ],
];

/** Shelves far wider than the usual margin, and inland seas. */
export const shelves: readonly { latitude: number; longitude: number; km: number; depth: number }[] = [
  { latitude: 55, longitude: 3, km: 620, depth: 75 }, // North Sea
  { latitude: 50, longitude: -1.5, km: 330, depth: 55 }, // English Channel
  { latitude: 53, longitude: 3, km: 300, depth: 35 }, // southern North Sea
  { latitude: 54, longitude: -5, km: 220, depth: 65 }, // Irish Sea
  { latitude: 50, longitude: -8, km: 480, depth: 115 }, // Celtic
  { latitude: -47, longitude: -64, km: 850, depth: 105 }, // Patagonia
  { latitude: 3, longitude: 107, km: 1200, depth: 60 }, // Sunda
  { latitude: 34, longitude: 123, km: 800, depth: 60 }, // Yellow and East China
  { latitude: 45.5, longitude: -51, km: 480, depth: 85 }, // Grand Banks
  { latitude: 61, longitude: -171, km: 800, depth: 75 }, // Bering
  { latitude: 73, longitude: 140, km: 1100, depth: 45 }, // Siberia
  { latitude: 71, longitude: 172, km: 900, depth: 50 }, // Chukchi
  { latitude: 73, longitude: 42, km: 950, depth: 220 }, // Barents
  { latitude: -10, longitude: 136, km: 850, depth: 60 }, // Arafura
  { latitude: 27, longitude: 51, km: 480, depth: 45 }, // Persian Gulf
  { latitude: 60, longitude: -85, km: 800, depth: 120 }, // Hudson
  { latitude: 24, longitude: -77, km: 320, depth: 25 }, // Bahamas
  { latitude: -19, longitude: 117, km: 520, depth: 90 }, // north-west Australia
  { latitude: 58, longitude: 20, km: 500, depth: 60 }, // Baltic
  { latitude: 44, longitude: -66, km: 380, depth: 110 }, // Gulf of Maine
  { latitude: 70, longitude: 65, km: 700, depth: 80 }, // Kara
  { latitude: 22, longitude: -90, km: 260, depth: 40 }, // Campeche
  { latitude: -36, longitude: -54, km: 420, depth: 70 }, // La Plata
  { latitude: 44.5, longitude: 14, km: 300, depth: 50 }, // northern Adriatic
  { latitude: 46, longitude: 36.5, km: 230, depth: 10 }, // Azov
  { latitude: 39, longitude: 119.5, km: 380, depth: 22 }, // Bohai
];

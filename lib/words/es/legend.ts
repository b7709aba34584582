import type { LegendWords } from "../en/legend.ts";

export const legend: LegendWords = {
  title: "Leyenda",
  inUnit: (unit) => `, ${unit}`,
  unitOf: (title) => `Unidad: ${title.toLowerCase()}`,
  colours: ({ from, to, unit, limits }) => [`Colores de ${from} a ${to} ${unit}.`, ...limits].join(" "),
  limit: ({ from, name }) => `Desde ${from}: ${name}.`,
  symbols: "Qué significan los símbolos",
  barb: "Viento: el asta apunta al lado de donde viene. Media barba 5 kn, barba 10, gallardete 50; siempre en nudos.",
  southernBarb: "Al sur del ecuador las barbas están al otro lado, siempre el de la presión más baja.",
  calm: "Calma: menos de 2,5 kn.",
  current: "Corriente, punta abierta: hacia dónde va. El doble de larga es cuatro veces más rápida.",
  slack: "Estoa: menos de 0,1 kn.",
  wave: "Olas, punta rellena: avanzan en ese sentido; la cola está del lado de donde vienen. El doble de larga es cuatro veces más altura.",
  particles: "Las partículas en movimiento muestran el flujo, mucho más rápido de lo que es.",
  noParticles: "Partículas desactivadas: su sistema pide menos movimiento.",
  windLines:
    "Línea de igual velocidad del viento, en nudos: 22 fuerte, 34 viento duro (gruesa), 48 temporal, 64 huracán (gruesa); de noche también los límites de las demás fuerzas Beaufort.",
  isobar: "Isobara, cada 4 hPa; la de 1000 hPa, gruesa.",
  centres: "Centros de alta (A) y baja presión (B), con sus hPa.",
  heights: "A trazos: línea de igual altura de las olas, cada metro; una de cada cinco, gruesa.",
  ship: "Su barco, navegando a la estima o fondeado; más pálido antes de la hora de su posición.",
  shipWay: "Camino de su barco en las próximas 24 horas, con un círculo cada 6 horas.",
  storms: {
    hurricane:
      "Huracán o tifón con su categoría, de 1 a 5 (la JMA no la da); gira en sentido antihorario al norte del ecuador y horario al sur.",
    tropicalStorm: "Tormenta tropical.",
    depression: "Depresión tropical.",
    invest: "Zona de interés (invest): aún no es depresión.",
    area: "Donde puede formarse un ciclón: probabilidad baja, media o alta, de uno a tres puntos.",
    areaOutline:
      "Zona en que puede formarse: punteada si es baja, a trazos si es media, continua si es alta; rayado más denso cuanto más probable.",
    alert: "Alerta de formación del JTWC: puede formarse en ella un ciclón en menos de un día.",
    remnant: "Restos de un ciclón, o uno que ya no es tropical.",
    track:
      "Trayectoria de un ciclón: observada y luego prevista a trazos, con círculos en las horas propias de la predicción.",
    cone: "Cono de incertidumbre: por donde puede pasar el centro. Sus vientos llegan más allá, como muestran los anillos sombreados en torno al centro.",
    danger:
      "Zona de peligro del ciclón abierto: manténgase fuera durante tres días. No elimina todo el riesgo.",
    box: "Recuadro en torno a los vientos del ciclón abierto; a trazos donde su alcance es estimado.",
  },
};

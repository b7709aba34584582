/** `de nord`, `d’ouest`, `d’ONO`: where something comes from, with a point of the compass. */
export const from = (point: string) => (/^[eo]/i.test(point) ? `d’${point}` : `de ${point}`);

/** `vers le nord`, `vers l’est`: where something goes to. */
export const towards = (point: string) => (/^[eo]/i.test(point) ? `vers l’${point}` : `vers le ${point}`);

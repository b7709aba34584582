import type { ListsWords } from "../en/lists.ts";

const kinds = { table: "Tableau", route: "Route", track: "Trace", waypoints: "Waypoints" };
const at = ({ line }: { line: number }) => `Ligne ${line}`;
const title: ListsWords["title"] = ({ kind, number }) =>
  kind === "waypoints" ? kinds.waypoints : `${kinds[kind]} ${number}`;

const ranges = {
  latitude: "comprise entre −90 et 90",
  longitude: "comprise entre −180 et 180, ou entre 0 et 360",
};
const examples = { latitude: "48°30.5′N", longitude: "5°10.2′W" };
const roles = {
  latitude: "à la latitude",
  longitude: "à la longitude",
  position: "à la position",
  northOrSouth: "à la lettre de la latitude",
  eastOrWest: "à la lettre de la longitude",
};

export const lists: ListsWords = {
  title,
  named: ({ kind, name }) => `${kinds[kind]} « ${name} »`,
  more: (count) => (count === 1 ? "… et 1 autre." : `… et ${count} autres.`),

  problems: {
    empty: "Le fichier est vide.",
    noPoints: "Le fichier n’a aucun point après sa première ligne.",
    noText: "Ce n’est pas du texte : choisissez un fichier GPX, CSV ou .xlsx.",
    unsoundKml: "Ce fichier n’est pas un KML valide.",
    unsoundRtz: "Le fichier n’est pas un RTZ valide.",
    unsoundGeojson: "Ce fichier n’est pas un GeoJSON valide.",
    pdf: "C’est un PDF : choisissez un fichier GPX, CSV ou .xlsx.",
    gzip: "Ce fichier est compressé (gzip) : décompressez-le d’abord.",
    oldExcel:
      "C’est un ancien fichier Excel (.xls), ou un fichier protégé par un mot de passe : enregistrez la feuille en .xlsx sans mot de passe, ou en CSV.",
    openDocument: "C’est un fichier OpenDocument : enregistrez la feuille en CSV ou en .xlsx.",
    noWorkbook: "Cette archive ne contient pas de classeur Excel : choisissez un fichier GPX, CSV ou .xlsx.",
    noSheet: "Le classeur n’a aucune feuille.",
    damaged: "Le fichier est endommagé : enregistrez le classeur de nouveau, ou en CSV.",
    largeWorkbook: "Le classeur est trop grand pour être lu ici : enregistrez la feuille en CSV.",
    largeFile: ({ megabytes }) => `Le fichier dépasse ${megabytes} Mo, le maximum lu ici : divisez-le.`,

    documentType:
      "Le fichier a un type de document, ce que GPX n’a pas : enregistrez-le avec un autre programme.",
    unsoundGpx: "Le fichier n’est pas un GPX valide.",
    unreadableGpx: ({ reason }) => `Le fichier n’est pas un GPX valide : ${reason}`,
    noGpx: "Le fichier n’est pas un GPX.",
    noLists: "Le fichier ne contient ni route, ni trace, ni waypoints.",
    gpxAngle: ({ axis, point, name, ...list }) =>
      `${name || title(list)}, point ${point} : la ${axis} doit être ${ranges[axis]}.`,

    manyCells: ({ line, most }) => `La ligne ${line} a plus de ${most} cellules.`,
    openQuote: ({ line }) => `La ligne ${line} a un guillemet qui n’est pas fermé.`,
    noHeader: (row) =>
      `${at(row)} : elle doit nommer les colonnes, dont la latitude et la longitude, ou être une position.`,
    sameMeaning: ({ line, one, other, role }) =>
      `Ligne ${line} : « ${one} » et « ${other} » ressemblent tous deux ${roles[role]}. Gardez-en un.`,
    noColumn: ({ line, axis }) => `La ligne ${line} ne nomme aucune colonne pour la ${axis}.`,
    localTime: ({ title }) =>
      `« ${title} » est une heure locale, et une liste ne dit pas de quel lieu : écrivez les heures en UTC, ou avec leur décalage comme 2026-09-15T12:00+02:00.`,
    unclearTime: ({ title }) =>
      `« ${title} » semble être une heure, mais son fuseau ou son unité n’est pas reconnu : nommez la colonne heure (UTC) ou heure (UTC+2), ou écrivez les heures avec leur décalage, comme 2026-09-15T12:00+02:00.`,

    wideRow: (row) =>
      `${at(row)} : elle a plus de cellules que la première ligne n’a de noms (avec des virgules décimales, séparez les cellules par des points-virgules ou des tabulations).`,
    unclearPosition: ({ written, ...row }) => `${at(row)} : « ${written} » peut désigner plusieurs lieux.`,
    noPosition: ({ written, ...row }) => `${at(row)} : « ${written} » n’est pas une position.`,
    missing: ({ axis, ...row }) => `${at(row)} : la ${axis} manque.`,
    wrongAngle: ({ axis, written, ...row }) =>
      `${at(row)} : la ${axis} « ${written} » doit être ${ranges[axis]}, ou écrite comme ${examples[axis]}.`,
    noTime: ({ written, ...row }) =>
      `${at(row)} : « ${written} » n’est pas une heure comme 2026-09-15T12:00:00Z.`,

    movedFile: ({ name }) => `${name} n’a pas pu être lu : choisissez-le de nouveau.`,
    slow: "La lecture de cette liste prend trop de temps ici : divisez-la.",
    notRead: "La liste n’a pas pu être lue ici : rechargez la page et réessayez.",
    replaced: "Remplacée par une liste plus récente.",
  },
};

import type { ListsWords } from "../en/lists.ts";

const kinds = { table: "Tabela", route: "Rota", track: "Trilha", waypoints: "Waypoints" };
const at = ({ line }: { line: number }) => `Linha ${line}`;
const title: ListsWords["title"] = ({ kind, number }) =>
  kind === "waypoints" ? kinds.waypoints : `${kinds[kind]} ${number}`;

const ranges = { latitude: "entre −90 e 90", longitude: "entre −180 e 180, ou entre 0 e 360" };
const examples = { latitude: "48°30.5′N", longitude: "5°10.2′W" };
const roles = {
  latitude: "a latitude",
  longitude: "a longitude",
  position: "a posição",
  northOrSouth: "a letra da latitude",
  eastOrWest: "a letra da longitude",
};

export const lists: ListsWords = {
  title,
  named: ({ kind, name }) => `${kinds[kind]} “${name}”`,
  more: (count) => `… e mais ${count}.`,

  problems: {
    empty: "O arquivo está vazio.",
    noPoints: "O arquivo não tem pontos depois da primeira linha.",
    noText: "Isto não é texto: escolha um arquivo GPX, CSV ou .xlsx.",
    unsoundKml: "O arquivo não é um KML válido.",
    unsoundRtz: "O arquivo não é um RTZ válido.",
    unsoundGeojson: "O arquivo não é um GeoJSON válido.",
    pdf: "Este é um PDF: escolha um arquivo GPX, CSV ou .xlsx.",
    gzip: "Este arquivo está compactado (gzip): descompacte-o primeiro.",
    oldExcel:
      "Este é um arquivo antigo do Excel (.xls), ou um com senha: salve a planilha como .xlsx sem senha, ou como CSV.",
    openDocument: "Este é um arquivo OpenDocument: salve a planilha como CSV ou .xlsx.",
    noWorkbook:
      "Este arquivo compactado não contém uma pasta de trabalho do Excel: escolha um arquivo GPX, CSV ou .xlsx.",
    noSheet: "A pasta de trabalho não tem nenhuma planilha.",
    damaged: "O arquivo está danificado: salve a pasta de trabalho de novo, ou como CSV.",
    largeWorkbook: "A pasta de trabalho é grande demais para ser lida aqui: salve a planilha como CSV.",
    largeFile: ({ megabytes }) =>
      `O arquivo tem mais de ${megabytes} MB, o máximo que é lido aqui: divida-o.`,

    documentType:
      "O arquivo tem um tipo de documento, que o GPX não tem: salve-o de novo com outro programa.",
    unsoundGpx: "O arquivo não é um GPX válido.",
    unreadableGpx: ({ reason }) => `O arquivo não é um GPX válido: ${reason}`,
    noGpx: "O arquivo não é um GPX.",
    noLists: "O arquivo não contém rota, nem trilha, nem waypoints.",
    gpxAngle: ({ axis, point, name, ...list }) =>
      `${name || title(list)}, ponto ${point}: a ${axis} deve estar ${ranges[axis]}.`,

    manyCells: ({ line, most }) => `A linha ${line} tem mais de ${most} células.`,
    openQuote: ({ line }) => `A linha ${line} tem aspas que não são fechadas.`,
    noHeader: (row) =>
      `${at(row)}: deve nomear as colunas, entre elas a latitude e a longitude, ou ser uma posição.`,
    sameMeaning: ({ line, one, other, role }) =>
      `Linha ${line}: “${one}” e “${other}” parecem ambas ${roles[role]}. Deixe apenas uma.`,
    noColumn: ({ line, axis }) => `A linha ${line} não nomeia nenhuma coluna para a ${axis}.`,
    localTime: ({ title }) =>
      `“${title}” é hora local, e uma lista não diz de que lugar: escreva as horas em UTC, ou com a diferença como 2026-09-15T12:00+02:00.`,
    unclearTime: ({ title }) =>
      `“${title}” parece uma hora, mas o fuso ou a unidade não é reconhecido: chame a coluna de hora (UTC) ou hora (UTC+2), ou escreva as horas com a diferença, como 2026-09-15T12:00+02:00.`,

    wideRow: (row) =>
      `${at(row)}: tem mais células do que nomes na primeira linha (com vírgulas decimais, separe as células com ponto e vírgula ou tabulações).`,
    unclearPosition: ({ written, ...row }) => `${at(row)}: “${written}” pode ser vários lugares.`,
    noPosition: ({ written, ...row }) => `${at(row)}: “${written}” não é uma posição.`,
    missing: ({ axis, ...row }) => `${at(row)}: falta a ${axis}.`,
    wrongAngle: ({ axis, written, ...row }) =>
      `${at(row)}: a ${axis} “${written}” deve estar ${ranges[axis]}, ou ser escrita como ${examples[axis]}.`,
    noTime: ({ written, ...row }) => `${at(row)}: “${written}” não é uma hora como 2026-09-15T12:00:00Z.`,

    movedFile: ({ name }) => `Não foi possível ler ${name}: escolha-o de novo.`,
    slow: "Ler esta lista demora demais aqui: divida-a.",
    notRead: "Não foi possível ler a lista aqui: recarregue a página e tente de novo.",
    replaced: "Substituída por uma lista posterior.",
  },
};

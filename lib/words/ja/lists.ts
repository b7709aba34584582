import type { ListsWords } from "../en/lists.ts";

const kinds = { table: "表", route: "ルート", track: "航跡", waypoints: "ウェイポイント" };
const at = ({ line }: { line: number }) => `${line}行目`;
const title: ListsWords["title"] = ({ kind, number }) =>
  kind === "waypoints" ? kinds.waypoints : `${kinds[kind]}${number}`;

const ranges = { latitude: "−90～90", longitude: "−180～180または0～360" };
const examples = { latitude: "48°30.5′N", longitude: "5°10.2′W" };
const axes = { latitude: "緯度", longitude: "経度" };
const roles = {
  latitude: "緯度",
  longitude: "経度",
  position: "位置",
  northOrSouth: "緯度の文字（N、S）",
  eastOrWest: "経度の文字（E、W）",
};

export const lists: ListsWords = {
  title,
  named: ({ kind, name }) => `${kinds[kind]}「${name}」`,
  more: (count) => `…ほか${count}件。`,

  problems: {
    empty: "ファイルが空です。",
    noPoints: "ファイルの2行目以降に地点がありません。",
    noText: "テキストではありません。GPX、CSV、.xlsxのファイルを選んでください。",
    unsoundKml: "正しいKMLファイルではありません。",
    unsoundRtz: "正しいRTZではありません。",
    unsoundGeojson: "正しいGeoJSONファイルではありません。",
    pdf: "PDFです。GPX、CSV、.xlsxのファイルを選んでください。",
    gzip: "圧縮（gzip）されたファイルです。先に展開してください。",
    oldExcel:
      "古い形式のExcelファイル（.xls）か、パスワード付きのファイルです。パスワードなしの.xlsxかCSVで保存してください。",
    openDocument: "OpenDocumentファイルです。シートをCSVか.xlsxで保存してください。",
    noWorkbook: "この圧縮ファイルにExcelのブックがありません。GPX、CSV、.xlsxのファイルを選んでください。",
    noSheet: "ブックにシートがありません。",
    damaged: "ファイルが壊れています。ブックを保存し直すか、CSVで保存してください。",
    largeWorkbook: "ブックが大きすぎて読めません。シートをCSVで保存してください。",
    largeFile: ({ megabytes }) => `ファイルが上限の${megabytes} MBを超えています。分割してください。`,

    documentType: "GPXにはない文書型宣言がファイルにあります。別のプログラムで保存し直してください。",
    unsoundGpx: "正しいGPXではありません。",
    unreadableGpx: ({ reason }) => `正しいGPXではありません：${reason}`,
    noGpx: "GPXファイルではありません。",
    noLists: "ファイルにルート、航跡、ウェイポイントのいずれもありません。",
    gpxAngle: ({ axis, point, name, ...list }) =>
      `${name || title(list)}、地点${point}：${axes[axis]}は${ranges[axis]}でなければなりません。`,

    manyCells: ({ line, most }) => `${line}行目のセルが${most}個を超えています。`,
    openQuote: ({ line }) => `${line}行目の引用符が閉じられていません。`,
    noHeader: (row) => `${at(row)}は、緯度と経度を含む列名か、位置でなければなりません。`,
    sameMeaning: ({ line, one, other, role }) =>
      `${line}行目：「${one}」と「${other}」がどちらも${roles[role]}に見えます。一方だけにしてください。`,
    noColumn: ({ line, axis }) => `${line}行目に${axes[axis]}の列名がありません。`,
    localTime: ({ title }) =>
      `「${title}」は地方時ですが、どの場所のものか分かりません。UTCか、2026-09-15T12:00+02:00のように時差付きで書いてください。`,
    unclearTime: ({ title }) =>
      `「${title}」は時刻のようですが、時間帯または単位がわかりません。列名を「時刻 (UTC)」や「時刻 (UTC+2)」にするか、2026-09-15T12:00+02:00のように時差を付けて書いてください。`,

    wideRow: (row) =>
      `${at(row)}：セルが1行目の列名より多くあります（小数点がコンマの場合は、セルをセミコロンかタブで区切ってください）。`,
    unclearPosition: ({ written, ...row }) => `${at(row)}：「${written}」は複数の場所に解釈できます。`,
    noPosition: ({ written, ...row }) => `${at(row)}：「${written}」は位置ではありません。`,
    missing: ({ axis, ...row }) => `${at(row)}：${axes[axis]}がありません。`,
    wrongAngle: ({ axis, written, ...row }) =>
      `${at(row)}：${axes[axis]}「${written}」は${ranges[axis]}か、${examples[axis]}のように書いてください。`,
    noTime: ({ written, ...row }) =>
      `${at(row)}：「${written}」は2026-09-15T12:00:00Zのような時刻ではありません。`,

    movedFile: ({ name }) => `${name}を読めませんでした。もう一度選んでください。`,
    slow: "このリストの読み込みに時間がかかりすぎます。分割してください。",
    notRead: "リストを読めませんでした。ページを再読み込みして、もう一度試してください。",
    replaced: "後のリストに置き換えられました。",
  },
};

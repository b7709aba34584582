import type { PassageRouteWords } from "../en/passage-route.ts";

const waypoints = (count: number) => `変針点${count}か所`;

export const passageRoute: PassageRouteWords = {
  title: "航海計画",
  route: "航路",
  raise: "パネルを引き上げると航海計画を立てられます。",
  empty: "地図上に航路を描くか、位置や地名を入力するか、ファイルを読み込んでください。",
  summary: ({ count, length }) => `${waypoints(count)}、${length}`,
  name: "計画の名前",
  draw: "地図に描く",
  undo: "元に戻す",
  redo: "やり直す",
  reverse: "逆順にする",
  reversed: "航路を逆向きにしました。",
  add: "位置または地名を追加",
  addPlaceholder: "48 23N 004 30W または港",
  addSubmit: "航路に追加",
  added: ({ number, place }) => `変針点${number}を追加しました：${place}。`,
  full: (most) => `航路の変針点は${most}か所までです。`,
  notKept: "このブラウザーは計画を保存しません。ページを離れる前にファイルに保存してください。",
  damagedLink:
    "このリンクの計画は読み取れません。途中で切れたか、変更されています。ご自分の計画はそのままです。",
  keptAs: (name) => `リンクの計画です。それまでの計画は「${name}」として保存しました。`,
  allLegs: "すべての区間",
  legs: { great_circle: "大圏", rhumb: "航程線" },
  table: {
    title: "変針点",
    waypoint: "変針点",
    course: "針路",
    distance: "距離",
    rhumb: "航程線",
    help: "矢印キーで変針点を移り、Enterで開き、Altと矢印キーで順序を変え、Deleteで削除します。",
  },
  edit: {
    title: (number) => `変針点${number}`,
    position: "位置",
    name: "名前",
    leg: "ここまでの区間",
    earlier: "前へ",
    later: "後へ",
    insert: "前に挿入",
    show: "地図で表示",
    remove: "削除",
    unclear: "複数の場所が考えられます。48 30N 005 10W のように書いてください。",
  },
  drawing: {
    title: "航路を描く",
    byMouse:
      "クリックで変針点を追加、ドラッグで移動、区間をクリックすると分割します。キーボードではEnterで十字の位置に追加、Backspaceで取り消し、Escで終了します。",
    byTouch: "タップで変針点を追加、ドラッグで移動、区間をタップすると分割します。",
    done: "完了",
  },
  file: {
    title: "航路を読み込む",
    choose: "ファイル：GPX、RTZ、KML、GeoJSON、CSV、.xlsx",
    paste: "または位置やファイルの内容を貼り付け",
    usePasted: "この内容を使う",
    reading: "読み込み中…",
    which: "このファイルには複数の一覧があります。航路はどれですか。",
    unread: "次の点は読めないため、省かれます：",
    take: ({ title, count }) => `${title}：${waypoints(count)}`,
    read: ({ count, from, within, refused }) =>
      [
        `読み込みました：${waypoints(count)}。`,
        ...(from !== undefined && within !== undefined
          ? [`ファイルには${from}点があり、線から${within}海里以内の点は省きました。`]
          : []),
        ...(refused === undefined ? [] : [`読めない${refused}点を省きました。`]),
      ].join(""),
    save: "航路の保存と計画の共有",
    copyLink: "計画へのリンクをコピー",
    linkCut: "長くなりすぎるため、リンクには変針点の名前とご自分の速力表やポーラーが含まれていません。",
  },
  saved: {
    title: "この端末の計画",
    save: "計画を保存",
    needsName: "先に計画に名前を付けてください。",
    start: "新しい計画",
    cleared: "新しい計画です。「元に戻す」で前の計画に戻ります。",
    saved: (name) => `「${name}」を保存しました。`,
    replaced: (name) => `「${name}」を置き換えました。`,
    notSaved:
      "計画を保存できませんでした。ブラウザーの保存領域がいっぱいか、無効になっています。ファイルに保存してください。",
    open: (name) => `「${name}」を開く`,
    opened: (name) => `「${name}」を開きました。`,
    remove: (name) => `「${name}」を削除`,
    removed: (name) => `「${name}」を削除しました。`,
    undo: "元に戻す",
    back: "元に戻しました。",
  },
};

import type { TasksWords } from "../en/tasks.ts";
import { formatNumber } from "../number.ts";

const whole = (count: number) => formatNumber(count, 0, "ja");
const points = (count: number) => `${whole(count)}地点`;
const values = (count: number) => `${whole(count)}個の値`;

const columns = {
  latitude: (title: string) => `緯度は「${title}」`,
  longitude: (title: string) => `経度は「${title}」`,
  position: (title: string) => `位置は「${title}」`,
  date: (title: string) => `日付は「${title}」`,
  instant: (title: string) => `時刻は「${title}」`,
  name: (title: string) => `名称は「${title}」`,
};

const times = {
  all: "、時刻付き",
  some: "、一部の地点に時刻がありません",
  none: "、時刻なし",
};

export const tasks: TasksWords = {
  points,

  titleDone: ({ count, title }) => `（${count}件完了）${title}`,

  inbox: {
    heading: "タスク",
    newTask: "新しいタスク",
    show: "表示",
    filters: { all: "すべて", PENDING: "未完了", SUCCESS: "完了", FAILURE: "失敗" },
    ended: ({ title, state }) => `${title}：${state}`,
    reading: "一覧を読み込んでいます…",
    none: "タスクはありません。大きなリクエストはここに表示されます。",
    noneInState: "この状態のタスクはありません。",
    newestOnly: "新しい順に100件を表示しています。APIではすべてを取得できます。",
  },

  keyNeeded: {
    why: "タスクにはアクセスキーが必要です。タスクは送信に使ったキーの所有者のもので、結果を読めるのはその所有者だけです。キーのない利用者はタスクを持てません。",
    byMail: "キーへのリンクをメールで受け取れます。地図はキーなしで見られます。",
    byOperator: "キーはこのサービスの運営者にお問い合わせください。地図はキーなしで見られます。",
    getKey: "アクセスキーを取得または入力",
    enterKey: "アクセスキーを入力",
  },

  untitled: {
    MetOcean: "名称のない地点リスト",
    "2DMetOcean": "名称のない地図範囲",
    "passages/evaluate": "名称のない航海計画",
    files: "名称のないファイル",
    "passages/optimise": "名称のない推奨航路",
    route: "名称のないルート",
  },

  row: {
    boxValues: (count) => `地図範囲の${values(count)}`,
    miles: (count) => `推奨航路の${whole(count)}海里`,
    passagePlaces: (count) => `航海計画の${whole(count)}地点`,
    asked: (age) => `${age}に送信`,
    compressed: (size) => `圧縮時${size}`,
    noMail: "メールなし（このサービスまたはキーに設定がありません）",
    mailWhenDone: "完了時にメール",
    mailAsked: "メール依頼済み",
    expired: "結果の保存期限切れ",
    keptUntil: ({ day, month, year, clock }) => `${year}年${month}月${day}日 ${clock} UTCまで保存`,
    progressOf: ({ title }) => `${title}の進捗`,
  },

  states: {
    done: "完了",
    cancelled: "中止",
    failed: "失敗",
    running: "実行中",
    runningAt: ({ percent }) => `実行中、${percent}%`,
    next: "待機中、次に実行",
    waiting: ({ position }) => `待機中、${position}番目`,
  },

  actions: {
    download: "ダウンロード",
    downloadOf: ({ title }) => `ダウンロード：${title}`,
    openOnMap: "地図で開く",
    repeat: "再実行",
    cancel: "中止",
    delete: "削除",
    copyId: "IDをコピー",
    copyIdOf: ({ title }) => `：${title}`,
  },

  undo: {
    deleting: ({ title }) => `「${title}」を削除しています。`,
    undo: "元に戻す",
    undoOf: ({ title }) => `：「${title}」の削除`,
    failed: ({ title, reason }) => `「${title}」を削除できませんでした：${reason}`,
  },

  notice: {
    failed: ({ reason }) => `このタスクの地点を表示できません：${reason}`,
    none: "このタスクには描画できる地点がありません。",
    shown: ({ name, count }) => [name, `：${points(count)}`],
    close: "地点を地図から消す",
  },

  form: {
    kind: "対象",
    kinds: { MetOcean: "地点のリスト", "2DMetOcean": "地図の範囲" },
    name: "名称（後で探すため）",
    mail: "終了時にメールを1通送る",
    sending: "送信中…",
    start: "タスクを開始",
  },

  durations: {
    few: "数秒",
    seconds: (count) => `約${count}秒`,
    minutes: (count) => `約${count}分`,
    hours: (count) => `約${whole(count)}時間`,
  },

  box: {
    what: "要素",
    sides: { south: "南端、°N", north: "北端、°N", west: "西端、°E", east: "東端、°E" },
    from: "開始、UTC",
    to: "終了、UTC",
    wrongLatitudes: "緯度は−90～90で、南端を先に入力してください。",
    wrongLongitudes: "経度は−180～180で入力してください。西端のほうが大きい場合は180°をまたぎます。",
    wrongTimes: "時刻は2026-09-15T12:00:00Zの形で、早いほうを先に入力してください。",
    tooLong: ({ days }) => `1回のリクエストは最長${days}日間です。`,
    tooMany: ({ count, most }) =>
      `約${values(count)}は1タスクの上限（${whole(most)}）を超えます。範囲を狭くするか、期間を短くしてください。`,
    estimate: ({ count, size, duration }) => `約${values(count)}、JSONで${size}、処理時間は${duration}です。`,
  },

  list: {
    file: "ファイル：GPX、または緯度、経度、（あれば）時刻の列があるCSV、Excel（.xlsx）",
    paste: "またはここに貼り付け",
    reading: "リストを読み込んでいます。",
    choose: "GPX、CSV、Excelのファイルを選ぶか、リストを貼り付けてください。",
    tooMany: ({ count, most }) => `${points(count)}は1タスクの上限（${whole(most)}）を超えます。`,
    refusedRows: "読めない地点があります。修正してファイルを選び直すか、除外してください。",
    noQuantity: "要素を1つ以上選んでください。",
    someUntimed: "時刻のない地点があります。出発時刻（2026-09-15T12:00:00Z）と速力を入力してください。",
    untimed: "リストに時刻がありません。出発時刻（2026-09-15T12:00:00Z）と速力を入力してください。",
    estimate: ({ count, size, duration }) => `${points(count)}、JSONで約${size}、処理時間は${duration}です。`,
    departure: "最初の地点の出発時刻、UTC",
    speed: "速力、ノット",
    quantities: "要素",
    repeated: "再実行するタスク",
  },

  preview: {
    which: "ファイルに複数のリストがあります。どれを使いますか？",
    read: ({ file, count, timed }) => `${file && `${file}：`}${points(count)}${times[timed]}。`,
    drawnTimes: "ファイルの時刻は地点を描いた時のもので、航海の時刻ではないため使いません。",
    columns: ({ found, isUtc }) => {
      const read = found?.map(([column, title]) => columns[column](title)).join("、");
      const how =
        read === undefined ? "列名の行がないため、緯度、経度の順に読みます。" : `読み取った列：${read}。`;
      return isUtc ? `${how}時刻はUTCとして扱います。` : how;
    },
    refused: ({ read, refused }) => `${whole(refused)}地点は読めません。${whole(read)}地点は読めます。`,
    leaveOut: "読めない地点を除外する",
    dateOrder: "03/04/2026のような日付は2通りに読めます。ここでの順序",
    dateOrders: { "day-month": "日/月/年", "month-day": "月/日/年" },
    miles: (count) => `${whole(count)} 海里`,
    planned: ({ speed }) => `計画速力${speed} kt`,
    leaves: ({ when }) => `${when}出発`,
  },
};

import type { ShipWords } from "../en/ship.ts";

export const ship: ShipWords = {
  title: "本船",
  invitation:
    "本船を登録すると、針路と速力に従って地図上を進み、熱帯低気圧が本船に近づく順に並びます。データはこの端末だけに保存されます。",
  raise: "パネルを引き上げて本船を登録してください。",
  atAnchor: "錨泊中。",
  underWay: ({ course, speed }) => `針路${course}、速力${speed} kt（航程線による推測航法）。`,
  positionOf: ({ when, clock, age }) => `${when} ${clock}の位置（${age}）。`,
  planned:
    "この位置は先の時刻のものです。その時刻までは本船をここに表示し、熱帯低気圧との距離はその時刻以降について計算します。",
  oldAtAnchor: (age) => `この位置は${age}に入力されました。本船は今もここにいますか。`,
  oldUnderWay: (age) =>
    `この位置は${age}に入力されました。本船は推測位置から大きく離れているかもしれません。新しい位置を入力してください。`,
  mapBefore: (when) =>
    `地図の時刻（${when}）はこの位置の時刻より前です。本船は入力された位置に表示しています。`,
  mapAt: ({ when, position }) => `地図の時刻（${when}）の位置は${position}です。`,
  centre: "本船を地図の中央に表示",
  conditions: "本船の位置の気象・海象",
  edit: "編集",
  forget: "削除",
  bringBack: "削除した本船を元に戻す",
  pinAtPoint: "選択した地点に登録",
  putHere: "本船をここに置く",
  said: {
    forgotten: "本船を削除しました。",
    atAnchor: (position) => `本船は${position}に錨泊中です。`,
    underWay: ({ position, course, speed }) =>
      `本船の位置は${position}、針路${course}、速力${speed}ノットです。`,
  },
  device: {
    ask: "この端末の位置に登録",
    asking: "端末の位置を確認中…",
    accurateToMiles: (miles) => `この端末の位置の誤差は${miles}海里にもなります。確認してください。`,
    accurateToMetres: (metres) => `この端末の位置（誤差${metres} m以内）。`,
    failures: {
      refused:
        "このブラウザーでは端末の位置の提供が許可されていません。ブラウザーの設定でこのページに許可するか、位置を入力してください。",
      unknown:
        "この端末は現在、位置を測定できません。空の開けた場所でもう一度試すか、位置を入力してください。",
      late: "30秒以内に端末の位置が得られませんでした。空の開けた場所でもう一度試すか、位置を入力してください。",
      insecure: "ブラウザーは安全なアドレス（https）にしか端末の位置を提供しません。位置を入力してください。",
    },
  },
  form: {
    position: "位置",
    course: "針路（真方位、°）",
    speed: "速力（kt）",
    noSpeed: "錨泊中",
    time: (clock) => `位置の時刻（${clock}）`,
    timeOrNow: (clock) => `位置の時刻（${clock}、空欄なら現在）`,
    save: "保存",
    pin: "本船を登録",
    takeNow: "現在の推測位置を使う",
    cancel: "キャンセル",
    errors: {
      unclear: "複数の位置に解釈できます。48 30N 005 10W のように入力してください。",
      position: "位置として読み取れません。48 30N 005 10W または 48.5, −5.17 のように入力してください。",
      course: "針路は0～360度で入力してください。",
      speed: (most) => `速力は0～${most}ノットで入力してください。`,
      noTime: "時刻も入力してください。サービスから現在時刻が得られていません。",
      time: "日時として読み取れません。",
    },
  },
  choice: {
    title: "このリンクには別の船が含まれています",
    yours: "本船",
    linked: "リンクの船",
    line: ({ position, when, way }) => `${position}、${when}。${way}`,
    explanation:
      "熱帯低気圧との距離は本船から計算しています。リンクの船を使うとその船から計算し、この端末の本船は削除されます。",
    keep: "本船をそのまま使う",
    take: "リンクの船を使う",
  },
};

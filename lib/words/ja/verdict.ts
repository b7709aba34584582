import type { VerdictWords } from "../en/verdict.ts";

type Area = Parameters<VerdictWords["area"]["enters"]>[0];
type Centre = Parameters<VerdictWords["approach"]["closest"]>[0];
type Reach = Parameters<VerdictWords["approach"]["inside"]>[0];

const area = ({ method, estimated }: Pick<Area, "method" | "estimated">) => {
  const name = method === "classic" ? "1-2-3ルールの危険域" : "今シーズンの予報コーンによる危険域";
  return estimated ? `${name}（風の範囲は推定）` : name;
};

const gales = (kt: number) => (kt === 34 ? "強風（34 kt）" : `${kt} ktの風`);

const semicircles = { dangerous: "危険半円", navigable: "可航半円" };

const centre = ({ distance, bearing, semicircle }: Omit<Centre, "when">) => {
  const where = `距離${distance}、方位${bearing}`;
  return semicircle === null ? where : `${where}、本船は${semicircles[semicircle]}内`;
};

const lessError = ({ kt, estimated }: Pick<Reach, "kt" | "estimated">) =>
  `${kt} ktの風の範囲${estimated ? "（推定）" : ""}と経路の誤差を差し引いた値`;

export const verdict: VerdictWords = {
  at: ({ time, age }) => `${time}（${age}）`,
  area: {
    none: "この予報には、今後の危険域を求める情報がありません。",
    clear: ({ distance, ...of }) => `${area(of)}の外です。最短でも${distance}離れています。`,
    enters: ({ at, ...of }) => `${at}に${area(of)}に入ります。`,
    insideToEnd: ({ end, ...of }) =>
      `【域内】${area(of)}の中です。危険域の有効期間が終わる${end}まで域内です。`,
    insideOut: ({ out, ...of }) => `【域内】${area(of)}の中です。域外に出るのは${out}です。`,
  },
  gales: {
    now: ({ kt }) => `予報経路によれば、現在すでに${gales(kt)}の中です。`,
    possibleThenLikely: ({ kt, likely }) =>
      `${gales(kt)}は今から起こり得ます。最も可能性が高いのは${likely}です。`,
    likely: ({ kt, likely }) => `${likely}に${gales(kt)}となる可能性が高いです。`,
    earliest: ({ kt, earliest, likely }) =>
      `${gales(kt)}は早ければ${earliest}、最も可能性が高いのは${likely}です。`,
    possibleNow: ({ kt }) => `熱帯低気圧が予報経路から外れた場合、現在すでに${gales(kt)}のおそれがあります。`,
    possibleFrom: ({ kt, from }) =>
      `熱帯低気圧が予報経路から外れた場合、${from}以降に${gales(kt)}のおそれがあります。`,
    notExpected: ({ kt, until }) => `予報期間中（${until}まで）に${gales(kt)}の予想はありません。`,
    notKnown: ({ kt }) => `${gales(kt)}：不明です。予報に風の範囲が示されていません。`,
    notKnownLater: ({ kt }) =>
      `${gales(kt)}：不明です。予報に風の範囲が示されているのは現在だけで、今後についてはありません。`,
    notKnownAfter: ({ kt, told }) =>
      `${gales(kt)}：不明です。予報に風の範囲が示されているのは最長でも${told}までです。`,
  },
  stillClosing: (until) => `予報の終わり（${until}）の時点でも、熱帯低気圧はまだ接近中です。`,
  old: "予報が古くなっています。新しい予報が届いていません。",
  without: {
    over: "この熱帯低気圧の追跡は終了しました。予報はありません。",
    ended: (when) =>
      `予報は${when}で終わり、その後のことはわかりません。近づかないという意味ではありません。`,
    beyond: "予報は、本船の位置の時刻より前に終わります。",
    invest: "予報のない監視領域です。どこへ進むかはわかりません。",
    silent: "計算に使える予報がありません。熱帯低気圧が近づかないという意味ではありません。",
  },
  staleShip: (age) => `本船の位置は${age}に入力されたものです。新しい位置を入力してください。`,
  line: {
    stillClosing: ({ until, distance }) => `予報の終わり（${until}）でもまだ接近中：${distance}`,
    closest: ({ when, distance }) =>
      when === undefined ? `現在が最接近：${distance}` : `最接近 ${when}：${distance}`,
  },
  range: {
    fromPoint: ({ distance, bearing }) => `選択した地点から${distance}、方位${bearing}`,
    fromShip: ({ distance, bearing }) => `現在、本船から${distance}、方位${bearing}`,
    fromPlanned: ({ distance, bearing, when }) =>
      `現在、本船の予定位置（${when}）から${distance}、方位${bearing}`,
    plannedSaid: ({ distance, bearing, when }) =>
      `現在、本船の予定位置（${when}）から${distance}、方位${bearing}です。`,
    said: ({ distance, bearing }) => `現在の距離${distance}、方位${bearing}。`,
  },
  approach: {
    title: "最接近",
    toShip: "本船への最接近",
    toPoint: "選択した地点への最接近",
    looking: "本船への最接近を計算中…",
    how: "地図上で自分の位置をクリックするか、本船を登録してください。そこからの最接近を計算します。",
    course: "針路（°）",
    speed: "速力（kt）",
    wrong: "針路は0～360、速力は0～60ノットで入力してください。",
    closing: ({ until, ...of }) => `予報の終わり（${until}）の時点でも中心はまだ接近中：${centre(of)}。`,
    closest: ({ when, ...of }) =>
      when === undefined ? `中心は現在が最接近：${centre(of)}。` : `中心の最接近は${when}：${centre(of)}。`,
    clearance: ({ when, distance, ...of }) =>
      `最小余裕距離は${when ?? "現在"}の${distance}（${lessError(of)}）。`,
    shrinking: ({ until, distance, ...of }) =>
      `最小余裕距離は予報の終わり（${until}）の${distance}で、なお減少中（${lessError(of)}）。`,
    inside: ({ when, distance, ...of }) =>
      `${when ?? "現在"}、${distance}内側に入っている可能性があります（${lessError(of)}）。`,
    arrives: ({ kt, outlook, earliest, likely, latest, over }) => {
      const hours = [
        outlook === "expected" ? "予想あり" : "可能性あり",
        earliest && `早ければ${earliest}`,
        likely && `最も可能性が高いのは${likely}`,
        latest && `遅くとも${latest}`,
        over && `${over}までに終わる`,
      ];
      return `${kt} ktの風：${hours.filter(Boolean).join("、")}`;
    },
    notExpected: ({ kt, until }) => `${kt} ktの風：予報期間中（${until}まで）に吹く予想はありません`,
    notForecast: ({ kt }) => `${kt} ktの風：範囲が予報されていないため不明`,
    lookedAt: ({ until, clock }) => `予報の終わりの${until}まで計算しました。時刻は${clock}、1時間単位です。`,
    locatedFromShip: ({ when, distance }) => `最後の観測位置は${when}、本船から${distance}です。`,
    locatedFromPoint: ({ when, distance }) => `最後の観測位置は${when}、選択した地点から${distance}です。`,
    fromForecast: (span) => `発表から${span}経過した予報による計算です。`,
    fromOldForecast: (span) =>
      `発表から${span}経過した予報による計算です。新しい予報が届いていないため、これより近づくおそれがあります。`,
  },
  peek: {
    inBulletin: (when) => `${when}の情報による`,
    none: "表示する熱帯低気圧はありません。",
    tap: "熱帯低気圧をタップするか、パネルを引き上げて一覧を表示してください。",
  },
};

import type { TasksWords } from "../en/tasks.ts";
import { formatNumber } from "../number.ts";

const whole = (count: number) => formatNumber(count, 0, "zh");
const points = (count: number) => `${whole(count)}个点`;
const values = (count: number) => `${whole(count)}个值`;

const columns = {
  latitude: (title: string) => `纬度取自“${title}”`,
  longitude: (title: string) => `经度取自“${title}”`,
  position: (title: string) => `位置取自“${title}”`,
  date: (title: string) => `日期取自“${title}”`,
  instant: (title: string) => `时间取自“${title}”`,
  name: (title: string) => `名称取自“${title}”`,
};

const times = {
  all: "，均有时间",
  some: "，部分点没有时间",
  none: "，没有时间",
};

export const tasks: TasksWords = {
  points,

  titleDone: ({ count, title }) => `（${count}个已完成）${title}`,

  inbox: {
    heading: "任务",
    newTask: "新建任务",
    show: "显示",
    filters: { all: "全部", PENDING: "未完成", SUCCESS: "已完成", FAILURE: "失败" },
    ended: ({ title, state }) => `${title}：${state}`,
    reading: "正在读取列表…",
    none: "没有任务。大型请求会显示在这里。",
    noneInState: "没有处于此状态的任务。",
    newestOnly: "显示最新的100个；通过API可列出全部。",
  },

  keyNeeded: {
    why: "任务需要访问密钥。任务属于发送时所用密钥的持有者，只有持有者能读取结果；没有密钥的访客不拥有任何任务。",
    byMail: "获取密钥的链接可以发送到您的邮箱。不用密钥也能查看地图。",
    byOperator: "请向本服务的运营者索取密钥。不用密钥也能查看地图。",
    getKey: "获取或输入访问密钥",
    enterKey: "输入访问密钥",
  },

  untitled: {
    MetOcean: "未命名的点列表",
    "2DMetOcean": "未命名的地图区域",
    "passages/evaluate": "未命名的航行计划",
    files: "未命名的文件",
    "passages/optimise": "未命名的优化航线",
    route: "未命名的航线",
  },

  row: {
    boxValues: (count) => `地图区域的${values(count)}`,
    miles: (count) => `优化航线的${whole(count)}海里`,
    passagePlaces: (count) => `航行计划的${whole(count)}个地点`,
    asked: (age) => `${age}提交`,
    compressed: (size) => `压缩后${size}`,
    noMail: "无邮件：本服务或密钥未设置邮件",
    mailWhenDone: "完成后发邮件",
    mailAsked: "已要求邮件",
    expired: "结果已过期",
    keptUntil: ({ day, month, year, clock }) => `保留至${year}年${month}月${day}日 ${clock} UTC`,
    progressOf: ({ title }) => `${title}的进度`,
  },

  states: {
    done: "已完成",
    cancelled: "已取消",
    failed: "失败",
    running: "运行中",
    runningAt: ({ percent }) => `运行中，${percent}%`,
    next: "等待中，下一个运行",
    waiting: ({ position }) => `等待中，排在第${position}位`,
  },

  actions: {
    download: "下载",
    downloadOf: ({ title }) => `下载：${title}`,
    openOnMap: "在地图上打开",
    repeat: "重新执行",
    cancel: "取消",
    delete: "删除",
    copyId: "复制ID",
    copyIdOf: ({ title }) => `：${title}`,
  },

  undo: {
    deleting: ({ title }) => `正在删除“${title}”。`,
    undo: "撤销",
    undoOf: ({ title }) => `删除“${title}”`,
    failed: ({ title, reason }) => `无法删除“${title}”：${reason}`,
  },

  notice: {
    failed: ({ reason }) => `无法显示此任务的点：${reason}`,
    none: "此任务没有可以绘制的点。",
    shown: ({ name, count }) => [name, `：${points(count)}`],
    close: "从地图上移除这些点",
  },

  form: {
    kind: "任务对象",
    kinds: { MetOcean: "点列表", "2DMetOcean": "地图区域" },
    name: "名称，便于以后查找",
    mail: "结束后发送一封邮件",
    sending: "正在发送…",
    start: "开始任务",
  },

  durations: {
    few: "几秒钟",
    seconds: (count) => `约${count}秒`,
    minutes: (count) => `约${count}分钟`,
    hours: (count) => `约${whole(count)}小时`,
  },

  box: {
    what: "要素",
    sides: { south: "南，°N", north: "北，°N", west: "西，°E", east: "东，°E" },
    from: "起始，UTC",
    to: "结束，UTC",
    wrongLatitudes: "纬度应为−90至90，南边的在前。",
    wrongLongitudes: "经度应为−180至180；西边的数值较大时，区域跨越180°。",
    wrongTimes: "时间应写成2026-09-15T12:00:00Z，较早的在前。",
    tooLong: ({ days }) => `一次请求最多${days}天。`,
    tooMany: ({ count, most }) =>
      `约${values(count)}，超过一个任务的上限（${whole(most)}）：请缩小区域或缩短时间。`,
    estimate: ({ count, size, duration }) => `约${values(count)}，JSON格式${size}，处理时间${duration}。`,
  },

  list: {
    file: "文件：GPX，或包含纬度、经度（可含时间）的CSV或Excel（.xlsx）",
    paste: "或粘贴到这里",
    reading: "正在读取列表。",
    choose: "请选择GPX、CSV或Excel文件，或粘贴列表。",
    tooMany: ({ count, most }) => `${points(count)}，超过一个任务的上限（${whole(most)}）。`,
    refusedRows: "有些点无法读取：请修正后重新选择文件，或略去这些点。",
    noQuantity: "请至少选择一个要素。",
    someUntimed: "部分点没有时间：请填写出发时间（2026-09-15T12:00:00Z）和航速。",
    untimed: "列表没有时间：请填写出发时间（2026-09-15T12:00:00Z）和航速。",
    estimate: ({ count, size, duration }) => `${points(count)}，JSON格式约${size}，处理时间${duration}。`,
    departure: "离开第一个点的时间，UTC",
    speed: "航速，节",
    quantities: "要素",
    repeated: "要重新执行的任务",
  },

  preview: {
    which: "文件包含多个列表。使用哪一个？",
    read: ({ file, count, timed }) => `${file && `${file}：`}${points(count)}${times[timed]}。`,
    drawnTimes: "文件中的时间是绘制各点的时间，不是航行时间，因此不使用。",
    columns: ({ found, isUtc }) => {
      const read = found?.map(([column, title]) => columns[column](title)).join("，");
      const how = read === undefined ? "没有列名行：先读纬度，再读经度。" : `已读取：${read}。`;
      return isUtc ? `${how}时间按UTC处理。` : how;
    },
    refused: ({ read, refused }) => `${whole(refused)}个点无法读取，${whole(read)}个点可以读取。`,
    leaveOut: "略去这些点",
    dateOrder: "像03/04/2026这样的日期有两种读法。这里是",
    dateOrders: { "day-month": "日/月/年", "month-day": "月/日/年" },
    miles: (count) => `${whole(count)} 海里`,
    planned: ({ speed }) => `计划航速${speed} 节`,
    leaves: ({ when }) => `${when}出发`,
  },
};

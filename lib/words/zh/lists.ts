import type { ListsWords } from "../en/lists.ts";

const kinds = { table: "表格", route: "航线", track: "航迹", waypoints: "航路点" };
const at = ({ line }: { line: number }) => `第${line}行`;
const title: ListsWords["title"] = ({ kind, number }) =>
  kind === "waypoints" ? kinds.waypoints : `${kinds[kind]}${number}`;

const ranges = { latitude: "−90至90", longitude: "−180至180，或0至360" };
const examples = { latitude: "48°30.5′N", longitude: "5°10.2′W" };
const axes = { latitude: "纬度", longitude: "经度" };
const roles = {
  latitude: "纬度",
  longitude: "经度",
  position: "位置",
  northOrSouth: "纬度字母（N、S）",
  eastOrWest: "经度字母（E、W）",
};

export const lists: ListsWords = {
  title,
  named: ({ kind, name }) => `${kinds[kind]}“${name}”`,
  more: (count) => `……另有${count}项。`,

  problems: {
    empty: "文件是空的。",
    noPoints: "文件第一行之后没有点。",
    noText: "这不是文本：请选择GPX、CSV或.xlsx文件。",
    unsoundKml: "此文件不是有效的KML。",
    unsoundRtz: "文件不是有效的RTZ。",
    unsoundGeojson: "此文件不是有效的GeoJSON。",
    pdf: "这是PDF：请选择GPX、CSV或.xlsx文件。",
    gzip: "此文件已压缩（gzip）：请先解压。",
    oldExcel: "这是旧版Excel文件（.xls），或带密码的文件：请将工作表另存为不带密码的.xlsx，或CSV。",
    openDocument: "这是OpenDocument文件：请将工作表另存为CSV或.xlsx。",
    noWorkbook: "此压缩包中没有Excel工作簿：请选择GPX、CSV或.xlsx文件。",
    noSheet: "工作簿中没有工作表。",
    damaged: "文件已损坏：请重新保存工作簿，或另存为CSV。",
    largeWorkbook: "工作簿太大，无法在此读取：请将工作表另存为CSV。",
    largeFile: ({ megabytes }) => `文件超过${megabytes} MB的读取上限：请拆分。`,

    documentType: "文件带有GPX所没有的文档类型声明：请用其他程序重新保存。",
    unsoundGpx: "文件不是有效的GPX。",
    unreadableGpx: ({ reason }) => `文件不是有效的GPX：${reason}`,
    noGpx: "文件不是GPX。",
    noLists: "文件中没有航线、航迹或航路点。",
    gpxAngle: ({ axis, point, name, ...list }) =>
      `${name || title(list)}，第${point}点：${axes[axis]}应为${ranges[axis]}。`,

    manyCells: ({ line, most }) => `第${line}行超过${most}个单元格。`,
    openQuote: ({ line }) => `第${line}行有未闭合的引号。`,
    noHeader: (row) => `${at(row)}应为包含纬度和经度的列名，或者是一个位置。`,
    sameMeaning: ({ line, one, other, role }) =>
      `第${line}行：“${one}”和“${other}”看起来都是${roles[role]}。请只保留一个。`,
    noColumn: ({ line, axis }) => `第${line}行没有${axes[axis]}的列名。`,
    localTime: ({ title }) =>
      `“${title}”是地方时，而列表没有说明是哪里的：请用UTC书写时间，或带上时差，如2026-09-15T12:00+02:00。`,
    unclearTime: ({ title }) =>
      `“${title}”似乎是时间，但无法识别时区或单位：请将列命名为“时间 (UTC)”或“时间 (UTC+2)”，或写明时差，如2026-09-15T12:00+02:00。`,

    wideRow: (row) => `${at(row)}：单元格比第一行的列名多（使用小数逗号时，请用分号或制表符分隔单元格）。`,
    unclearPosition: ({ written, ...row }) => `${at(row)}：“${written}”可能指多个地点。`,
    noPosition: ({ written, ...row }) => `${at(row)}：“${written}”不是位置。`,
    missing: ({ axis, ...row }) => `${at(row)}：缺少${axes[axis]}。`,
    wrongAngle: ({ axis, written, ...row }) =>
      `${at(row)}：${axes[axis]}“${written}”应为${ranges[axis]}，或写成${examples[axis]}。`,
    noTime: ({ written, ...row }) => `${at(row)}：“${written}”不是像2026-09-15T12:00:00Z这样的时间。`,

    movedFile: ({ name }) => `无法读取${name}：请重新选择。`,
    slow: "读取此列表用时过长：请拆分。",
    notRead: "无法在此读取列表：请刷新页面后重试。",
    replaced: "已被后来的列表取代。",
  },
};

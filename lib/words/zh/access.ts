import type { AccessWords } from "../en/access.ts";

export const access: AccessWords = {
  faults: {
    keyRefused: "此访问密钥已不再有效。",
    silent: "服务器没有响应。",
    unreachable: "无法连接服务器。",
    limited: "请求过多。",
    foreign: "此响应并非来自本服务：中间的门户可能需要先进行操作，或者服务版本比此页面新。请重新加载页面。",
    keyless: "响应中没有密钥。",
    unreadable: "无法读取地图数据。",
    damaged: ({ reason }) => `地图数据已损坏：${reason}`,
    failed: ({ status }) => `服务器无法响应（${status}）。`,
    rejected: ({ problems }) => `服务器不接受此请求。${problems}`,
  },
  key: {
    label: "访问密钥",
    titles: { absent: "需要访问密钥", refused: "此密钥被拒绝", asked: "输入访问密钥" },
    reasons: {
      absent: "服务器首次启动时会显示一个密钥。密钥只会发送给此服务器。",
      refused: "密钥可能输入有误、已过期或已被吊销。请向本服务的运营者索取新的密钥。",
      asked: "密钥由本服务的运营者发放。密钥只会发送给此服务器。",
    },
    use: "使用此密钥",
    goOnWithout: "不使用密钥继续",
    remember: "在此设备上记住密钥",
    rememberWhy: "否则关闭标签页后密钥即被清除。使用此设备的任何人都可以使用已记住的密钥。",
  },
  offered: {
    title: "此链接带有另一个访问密钥",
    ofTab: "此标签页使用",
    ofLink: "链接带有",
    meaning:
      "任务属于提交时所用密钥的所有者。使用链接中的密钥后，其所有者可以看到您请求的内容，而您将看不到自己的任务。仅在您知道密钥属于谁时才使用。",
    keep: "保留我的密钥",
    take: "使用链接中的密钥",
  },
  revoked: {
    text: "您的访问密钥已不再有效。当前显示的内容是之前读取的，可能已过时；不会再读取新数据。",
    enter: "输入其他密钥",
  },
  status: {
    inUse: ({ key }) => `此标签页使用密钥 ${key}。`,
    remembered: "密钥会保留在此设备上，直到您将其清除，且绝不会出现在链接中。",
    kept: "密钥会保留到标签页关闭为止，且绝不会出现在链接中。",
    forget: "清除此密钥",
    visitor: "您正以访客身份浏览地图，没有访问密钥。任务和大型请求需要密钥。",
    enter: "输入访问密钥",
  },
  made: {
    title: "创建您的访问密钥",
    explanation: "邮件中的链接可创建一个密钥，仅可使用一次。",
    make: "创建我的密钥",
    doneTitle: "您的访问密钥",
    shownOnce: "密钥仅在此时显示。程序也需要它，请像密码一样妥善保管。",
    copy: "复制密钥",
    copyFailed: "请选中上方的密钥并复制",
  },
  asked: {
    label: "还没有密钥？可将创建链接发送到您的邮箱：",
    send: "发送链接",
    sent: "如果该邮箱可以收信，链接已在发送途中。链接仅可使用一次，一小时内有效。",
  },
};

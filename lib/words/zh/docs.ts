import type { DocsWords } from "../en/docs.ts";

export const docs: DocsWords = {
  title: ({ service }) => `${service}：API`,
  calls: ({ header, openapi, limits }) => [
    "除开放的调用外，每次调用都须在请求头",
    header,
    "中附上访问密钥。正文为UTF-8编码的JSON。",
    openapi,
    "是本页的机器可读版本；所有现行限制见",
    limits,
    "。",
  ],
  limits: "限制",
  operations: "操作",
  bodies: "正文",
  noKey: "无需密钥。",
  body: "正文：",
  field: "字段",
  type: "类型",
  rules: "规则",
  optional: "，可选",
};

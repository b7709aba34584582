import type { DocsWords } from "../en/docs.ts";

export const docs: DocsWords = {
  title: ({ service }) => `${service}：API`,
  calls: ({ header, openapi, limits }) => [
    "公開されているもの以外の呼び出しには、ヘッダー",
    header,
    "にアクセスキーが必要です。本文はUTF-8のJSONです。",
    openapi,
    "はこのページの機械可読版です。有効な制限の一覧は",
    limits,
    "にあります。",
  ],
  limits: "制限",
  operations: "操作",
  bodies: "本文",
  noKey: "キー不要。",
  body: "本文：",
  field: "項目",
  type: "型",
  rules: "規則",
  optional: "、省略可",
};

import { expect, it } from "vitest";
import { errorText } from "#lib/messages/fault.ts";
import { de } from "#lib/messages/generated/de.ts";
import { ja } from "#lib/messages/generated/ja.ts";
import { ServiceError } from "./api-fetch.ts";

it("what the page says of a failure is in its language; what the service says stays as it is", () => {
  const failed = new ServiceError({ is: "failed", status: 502 }, 502);
  expect(failed.message).toBe("The server could not answer (502).");
  expect(errorText(failed, de)).toBe("Der Server konnte nicht antworten (502).");
  expect(errorText(failed, ja)).toBe("サーバーが応答できませんでした（502）。");
  const rejected = new ServiceError({ is: "rejected", problems: "lat: Wrong" }, 422);
  expect(errorText(rejected, de)).toBe("Der Server nimmt diese Anfrage nicht an. lat: Wrong");
  expect(errorText(new ServiceError("Out of order", 503), de)).toBe("Out of order");
});

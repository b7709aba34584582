import { expect, it } from "vitest";
import { deliveryFaults } from "#lib/contract/channels.ts";
import { ForbiddenTargetError } from "./address-guard.ts";
import { deliveryFaultOf } from "./delivery-fault.ts";

it("each failure has its code, by the words that are stored", () => {
  const said = {
    status: "the target answered HTTP 503",
    gone: "the target is gone (HTTP 410)",
    timeout: "the target took more than 10 s",
    refused: "the target refused the connection",
    broken: "the target broke the connection",
    unknown_name: "the target its name is not known",
    certificate: "the target its certificate has expired",
    unreachable: "the target cannot be reached",
    forbidden: new ForbiddenTargetError().message,
    no_mail: "this service sends no e-mail",
    mail_server: "the mail server cannot be reached",
    service: "this service stops",
    other: "something else",
  };
  for (const [code, text] of Object.entries(said)) expect(deliveryFaultOf(text, "webhook")).toBe(code);
  expect(deliveryFaultOf("550 no such mailbox", "mail")).toBe("mail_refused");
  expect([...Object.keys(said), "mail_refused"].sort()).toEqual([...deliveryFaults].sort());
});

import { expect, test } from "vitest";
import { panelOnDoubles } from "../open-panel.ts";

/** A panel at the fields of a service elsewhere that knows one code. */
async function atOtherService(code: string) {
  const panel = await panelOnDoubles();
  const asked: unknown[] = [];
  panel.server.additions["POST /home/pair"] = (body: { readonly code: string }) => {
    asked.push(body);
    if (body.code.replace(/\D/g, "") === code) return { body: { key: panel.server.key, key_id: "key_1" } };
    return { status: 401, body: { error: "unauthorized", message: "This code is wrong or has expired." } };
  };
  panel.open();
  await panel.otherService();
  panel.page().type("service-address", panel.address);
  await panel.sees("No key is saved");
  return { panel, asked };
}

test("six digits give the panel a key of its own, which is kept and works; the code is kept nowhere", async () => {
  const { panel, asked } = await atOtherService("123456");
  for (const typed of ["", "12345", "1234567", "12345x"]) {
    panel.page().type("pairing-code", typed);
    await expect.poll(() => panel.page().byId("pair").disabled).toBe(true);
  }
  panel.page().type("pairing-code", "123 456");
  await expect.poll(() => panel.page().byId("pair").disabled).toBe(false);
  panel.page().click("pair");
  await panel.sees("The service accepts this key");
  expect(asked).toEqual([{ code: "123 456" }]);
  expect(panel.page().byId("pairing-code").value).toBe("");
  expect(panel.page().root.said).not.toContain(panel.server.key);
  panel.close();
  panel.open();
  await panel.sees("Describe sequence");
  panel.page().click("badge");
  await panel.sees("Saved securely");
  const kept = [...panel.disk.files.values()].map((bytes) => Buffer.from(bytes).toString("utf8")).join("\n");
  expect(kept).not.toMatch(/123 ?456/);
});

test("a code that is refused, and a service without codes, are told apart, and no key is kept", async () => {
  const { panel, asked } = await atOtherService("123456");
  const pair = async (code: string) => {
    panel.page().type("pairing-code", code);
    await expect.poll(() => panel.page().byId("pair").disabled).toBe(false);
    panel.page().click("pair");
  };
  await pair("999999");
  await panel.sees("This code is wrong or has expired.");
  expect(panel.page().byId("pairing-code").value).toBe("");
  delete panel.server.additions["POST /home/pair"];
  await pair("123456");
  await panel.sees("This service has no codes.");
  await panel.sees("No key is saved");
  // Each counts: none is sent again by itself.
  expect(asked).toHaveLength(1);
});

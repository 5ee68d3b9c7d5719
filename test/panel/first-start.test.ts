import { expect, test } from "vitest";
import { panelOnDoubles } from "./open-panel.ts";

test("an installed panel whose first connections are denied connects all the same, and describes", async () => {
  const panel = await panelOnDoubles({}, { deniesFirst: 3 });
  await panel.describe();
  expect(panel.page().root.textContent).not.toContain("Nothing answers");
});

test("the reply type in the other spelling: the narration arrives", async () => {
  const panel = await panelOnDoubles({}, { bytesType: "arrayBuffer" });
  await panel.describe();
  await panel.placeNarration();
});

test("where the system refuses plain http, a sentence says so, with a way out", async () => {
  const panel = await panelOnDoubles({}, { refusesPlainHttp: true });
  panel.open();
  await panel.otherService();
  panel.page().type("service-address", panel.address);
  await panel.sees("No key is saved");
  panel.page().type("service-key", panel.server.key);
  panel.page().click("test-connection");
  await panel.sees("this system does not let Premiere open http:// address");
  await panel.sees("only https:// addresses");
});

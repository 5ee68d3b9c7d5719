import { expect, test } from "vitest";
import { panelOnDoubles } from "../open-panel.ts";

test.each(["direct", "marketplace"] as const)(
  "tools and launching belong to the direct panel alone: %s",
  async (edition) => {
    const isDirect = edition === "direct";
    const panel = await panelOnDoubles({}, {}, edition);
    await panel.describe();
    panel.page().click("tab-history");
    await panel.sees("Harbour_v7");
    expect(panel.page().root.said.includes("Raw result")).toBe(isDirect);
    panel.page().click("badge");
    await panel.sees("Test connection");
    expect(panel.page().find("open-diagnostics") !== null).toBe(isDirect);
    panel.page().click("tab-review");
    panel.page().click("tab-deliver");
    await expect.poll(() => panel.page().byId("deliver").disabled).toBe(false);
    panel.page().click("deliver");
    await panel.sees("files in /projects/");
    expect(panel.page().find("show-delivery") !== null).toBe(isDirect);
  },
);

import { expect, test } from "vitest";
import { readRecord } from "../../../../src/result/record.ts";
import { signOffState } from "../../../../src/result/sign-off.ts";
import { type PanelOnDoubles, panelOnDoubles } from "../../open-panel.ts";
import { recut, sequenceOf } from "../conform/recut.ts";

async function placed(): Promise<PanelOnDoubles> {
  const panel = await panelOnDoubles();
  await panel.describe();
  await panel.placeMarkers();
  await expect.poll(() => sequenceOf(panel).properties.size).toBe(1);
  return panel;
}

function recordIn(panel: PanelOnDoubles) {
  const [text] = sequenceOf(panel).properties.values();
  const reading = readRecord(String(text));
  if (!reading.ok) throw new Error(reading.fault);
  return reading.record;
}

test("nobody signs without a name, or while a cue is not accepted", async () => {
  const panel = await placed();
  panel.menu().click("sign-off");
  await panel.sees("2 lines are not accepted yet.");
  panel.menu().click("accept-all");
  panel.menu().click("sign-off");
  await panel.sees("Type your name");
  expect(recordIn(panel).signOff).toBeUndefined();
});

test("a sign-off is in the record with name, date and hash; it is void after a re-cut, and can be withdrawn", async () => {
  const panel = await placed();
  panel.menu().click("accept-all");
  panel.menu().type("reviewer", "Kim Lind");
  panel.menu().click("sign-off");
  await panel.sees("✓ Signed off by Kim Lind");
  await expect.poll(() => recordIn(panel).signOff?.name).toBe("Kim Lind");
  const { signOff, cues } = recordIn(panel);
  expect(Date.parse(signOff?.signedAt ?? "")).toBeGreaterThan(0);
  expect(signOffState(signOff, cues)).toBe("valid");
  recut(panel, [[10, 150]]);
  panel.page().click("tab-review");
  await panel.sees("The edit changed");
  panel.page().click("open-conform");
  await panel.sees("Compare again");
  panel.page().click("conform");
  await panel.sees("moved with the edit");
  expect(signOffState(recordIn(panel).signOff, recordIn(panel).cues)).toBe("void");
  panel.page().click("tab-review");
  await panel.sees("no longer counts: the descriptions changed since");
  panel.menu().click("sign-off");
  await panel.sees("✓ Signed off by Kim Lind");
  await expect.poll(() => signOffState(recordIn(panel).signOff, recordIn(panel).cues)).toBe("valid");
  panel.menu().click("withdraw");
  await panel.sees("The sign-off is cancelled.");
  await expect.poll(() => recordIn(panel).signOff).toBeUndefined();
});

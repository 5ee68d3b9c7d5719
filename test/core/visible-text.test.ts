import { expect, test } from "vitest";
import { visibleText } from "../../src/core/text.ts";

test("what a terminal obeys, or turns letters round, is written out; everything else stays", () => {
  expect(visibleText("a\u001b]0;title\u0007b\u009b2Jc\0\rd\u202egpj.exe\u2066")).toBe(
    String.raw`a\u001b]0;title\u0007b\u009b2Jc\u0000\u000dd\u202egpj.exe\u2066`,
  );
  const plain = "Zoë\tsagt: „Ja“ – אבג, می\u200cخواهم 👩‍🎤\n";
  expect(visibleText(plain)).toBe(plain);
});

import { describe, expect, test } from "vitest";
import { Page } from "./page.ts";

describe("keyboard", () => {
  test("keys reach a panel only while a control has the focus: on a box they go to Premiere", () => {
    const page = new Page();
    const box = page.createElement("div");
    expect(() => box.happens("keydown", { key: "ArrowDown" })).toThrow("goes to Premiere");
  });

  test("Delete, Backspace, Space and bare letters stay with a text input only", () => {
    const page = new Page();
    for (const key of ["Delete", "Backspace", "m"]) {
      expect(() => page.createElement("button").happens("keydown", { key })).toThrow("goes to Premiere");
      page.createElement("input").happens("keydown", { key });
    }
  });
});

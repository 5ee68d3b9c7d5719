import { describe, expect, test } from "vitest";
import type { Actions } from "../../../panel/controllers/actions.ts";
import { element } from "../../../panel/document/element.ts";
import { Renderer } from "../../../panel/document/renderer.ts";
import { pageContact } from "../../../panel/session/page-contact.ts";
import { menuRow } from "../../../panel/views/controls.ts";
import { Learnt } from "../../../src/host/learnt.ts";
import { Page, type PageNode } from "../page.ts";

function drawing() {
  const page = new Page();
  const errors: unknown[] = [];
  const renderer = new Renderer(page, page.root, (error) => errors.push(error));
  return { page, errors, renderer, draw: (...wanted: Parameters<Renderer["draw"]>[0]) => renderer.draw(wanted) };
}

const names = (nodes: readonly PageNode[]) => nodes.map((node) => node.textContent);

test("keeps the elements of a list that was put in another order, by their keys", () => {
  const { page, draw } = drawing();
  const item = (key: string) => element("div", { key }, key);
  draw(item("a"), item("b"), item("c"));
  const [a, , c] = page.root.children;
  draw(item("c"), item("d"), item("a"));
  expect(names(page.root.children)).toEqual(["c", "d", "a"]);
  expect(page.root.children[0]).toBe(c);
  expect(page.root.children[2]).toBe(a);
});

test("an icon is a picture for the ground that it is seen on, and changes with it alone", () => {
  const { page, renderer, draw } = drawing();
  const play = () => element("img", { id: "play", icon: "play", alt: "" });
  const address = () => page.byId("play").attributes["src"];
  draw(play());
  const onDark = address();
  expect(onDark).toMatch(/^data:image\/png;base64,iVBORw0KGgo/);
  draw(play());
  expect(address()).toBe(onDark);
  renderer.drawIconsOn("light");
  draw(play());
  expect(address()).not.toBe(onDark);
  draw(element("img", { id: "play", icon: "pause", alt: "" }));
  expect(
    Buffer.from(address()?.split(",")[1] ?? "", "base64")
      .subarray(-8, -4)
      .toString("latin1"),
  ).toBe("IEND");
  expect(page.byId("play").attributes["icon"]).toBeUndefined();
});

test("a row of a menu keeps its element, and so the focus, as rows above it come and go", () => {
  const { page, draw } = drawing();
  const { session } = { session: { store: { set: () => undefined }, run: () => undefined } };
  // What a row does is not what this is about.
  const row = (name: string) => menuRow(name, name, async () => undefined, { session } as unknown as Actions);
  draw(row("place"), row("read"));
  const read = page.byId("read");
  draw(row("place"), row("voice"), row("remove"), row("read"));
  expect(page.byId("read")).toBe(read);
});

test("leaves what is being typed alone until another value is wanted", () => {
  const { page, draw } = drawing();
  draw(element("input", { id: "name", value: "first" }));
  const field = page.byId("name");
  expect(field.value).toBe("first");
  field.value = "half a wo";
  field.happens("input");
  draw(element("input", { id: "name", value: "first" }));
  expect(field.value).toBe("half a wo");
  draw(element("input", { id: "name", value: "second" }));
  expect(field.value).toBe("second");
  field.value = "refused";
  field.happens("input");
  field.happens("change");
  draw(element("input", { id: "name", value: "second" }));
  expect(field.value).toBe("second");
});

test("calls the listener of the last drawing, once", () => {
  const { page, draw } = drawing();
  const calls: string[] = [];
  draw(element("button", { id: "go", onclick: () => calls.push("old") }));
  draw(element("button", { id: "go", onclick: () => calls.push("new") }));
  page.click("go");
  expect(calls).toEqual(["new"]);
});

test("takes away listeners, attributes and elements that are not wanted any more", () => {
  const { page, draw } = drawing();
  let calls = 0;
  draw(element("button", { id: "go", role: "tab", onclick: () => (calls += 1) }), element("p", {}, "gone"));
  draw(element("button", { id: "go" }));
  page.click("go");
  expect(calls).toBe(0);
  expect(page.byId("go").attributes).not.toHaveProperty("role");
  expect(page.root.children).toHaveLength(1);
});

test("hands on what listeners raise, at once or later, instead of letting it out", async () => {
  const { page, errors, draw } = drawing();
  draw(
    element("button", {
      id: "now",
      onclick: () => {
        throw new Error("now");
      },
    }),
    element("button", { id: "later", onclick: () => Promise.reject(new Error("later")) }),
  );
  page.click("now");
  page.click("later");
  await Promise.resolve();
  await Promise.resolve();
  expect(errors.map(String)).toEqual(["Error: now", "Error: later"]);
});

test("changes texts in place", () => {
  const { page, draw } = drawing();
  draw(element("p", {}, "one"));
  const [text] = page.root.children[0]?.children ?? [];
  draw(element("p", {}, "two"));
  expect(page.root.textContent).toBe("two");
  expect(page.root.children[0]?.children[0]).toBe(text);
});

test("Tab leads through the controls as they stand, late ones too, and on past the last one by itself", () => {
  const { page, draw } = drawing();
  const control = (id: string, more = {}) => element("button", { id, key: id, ...more }, id);
  draw(control("first"), control("last"));
  draw(
    control("first"),
    element(
      "div",
      { key: "late" },
      element("input", { id: "late-field", type: "text" }),
      control("off", { disabled: true }),
      control("by-arrows", { tabindex: "-1" }),
    ),
    element("input", { key: "a", id: "radio-a", type: "radio", name: "r", checked: false }),
    element("input", { key: "b", id: "radio-b", type: "radio", name: "r", checked: true }),
    control("last"),
  );
  const visited: unknown[] = [];
  const press = (shiftKey: boolean) => {
    let isTaken = false;
    const preventDefault = () => {
      isTaken = true;
    };
    const target = page.activeElement as PageNode;
    page.root.happens("keydown", { key: "Tab", shiftKey, target, preventDefault });
    visited.push(isTaken ? (page.activeElement as PageNode).attributes["id"] : "left to the host");
  };
  page.byId("first").focus();
  for (const shiftKey of [false, false, false, false, true]) press(shiftKey);
  expect(visited).toEqual(["late-field", "radio-b", "last", "left to the host", "radio-b"]);
});

describe("where buttons are made of boxes", () => {
  test("a button is a box with role, Tab and Enter; Space stays with Premiere", () => {
    const { page, draw, renderer } = drawing();
    renderer.makeButtonsOf("box");
    const presses: string[] = [];
    draw(
      element("button", { id: "go", class: "button", onclick: () => void presses.push("go") }, "Go"),
      element("button", { id: "tab", class: "tab", role: "tab", onclick: () => void presses.push("tab") }, "Tab"),
    );
    const [go, tab] = [page.byId("go"), page.byId("tab")];
    expect([go.name, go.attributes["role"], go.attributes["tabindex"], go.className]).toEqual([
      "div",
      "button",
      "0",
      "box button",
    ]);
    expect(tab.attributes["role"]).toBe("tab");
    go.happens("click");
    tab.happens("keydown", { key: "Enter" });
    go.happens("keydown", { key: " " });
    expect(presses).toEqual(["go", "tab"]);
  });

  test("one that is disabled does nothing, says so, and works again afterwards", () => {
    const { page, draw, renderer } = drawing();
    renderer.makeButtonsOf("box");
    const presses: string[] = [];
    const go = (disabled: boolean) =>
      element("button", { id: "go", disabled, onclick: () => void presses.push("go") }, "Go");
    draw(go(true));
    const box = page.byId("go");
    box.happens("click");
    box.happens("keydown", { key: "Enter" });
    expect([presses.length, box.attributes["aria-disabled"], box.className]).toEqual([0, "true", "box is-disabled"]);
    draw(go(false));
    expect(page.byId("go")).toBe(box);
    box.happens("click");
    expect([presses.length, box.attributes["aria-disabled"], box.className]).toEqual([1, "false", "box"]);
  });

  test("a button that is drawn already stays, with its focus; what comes later is of the other kind", () => {
    const { page, draw, renderer } = drawing();
    draw(element("button", { id: "early" }, "Early"));
    const early = page.byId("early");
    early.focus();
    renderer.makeButtonsOf("box");
    draw(element("button", { id: "early" }, "Early"), element("button", { id: "late" }, "Late"));
    expect([page.byId("early") === early, page.activeElement === early, page.byId("late").name]).toEqual([
      true,
      true,
      "div",
    ]);
  });

  test("what has the focus when they are tried has it afterwards, not what had it when the trial began", async () => {
    const { page, draw } = drawing();
    draw(element("button", { id: "first" }, "First"), element("button", { id: "then" }, "Then"));
    page.byId("first").focus();
    const trials = pageContact({
      document: page,
      clock: { sleep: async () => page.byId("then").focus() },
      learnt: new Learnt(),
      // Not what this is about.
      sound: undefined as never,
      silence: () => Promise.reject(new Error("not asked")),
    });
    await trials.find(({ name }) => name === "buttons")?.run();
    expect(page.activeElement).toBe(page.byId("then"));
  });

  test("plain buttons are the host's own, and Adobe's are Adobe's", () => {
    for (const kind of ["button", "sp-action-button"] as const) {
      const { page, draw, renderer } = drawing();
      renderer.makeButtonsOf(kind);
      draw(element("button", { id: "go" }, "Go"));
      expect([page.byId("go").name, page.byId("go").attributes["role"]]).toEqual([kind, undefined]);
    }
  });
});

import { describe, expect, test } from "vitest";
import { SAMPLE_SEQUENCE_ID } from "../fakes/premiere/sample-project.ts";
import { type PanelOnDoubles, panelOnDoubles } from "./open-panel.ts";

const LEARNT = "/data/premiere-learnt.json";

type Meeting = NonNullable<Parameters<typeof panelOnDoubles>[3]>;

const meet = (meeting: Partial<Meeting> = {}, network: Parameters<typeof panelOnDoubles>[1] = {}) =>
  panelOnDoubles({}, network, "direct", {
    version: "27.0.0",
    playsSound: (address) => address.startsWith("file:"),
    ...meeting,
  });

/** What is kept of a version; nothing where none was met. */
function learnt({ disk }: PanelOnDoubles, version = "27.0.0"): Readonly<Record<string, string>> {
  const bytes = disk.files.get(LEARNT);
  return bytes === undefined ? {} : (JSON.parse(new TextDecoder().decode(bytes))[version] ?? {});
}

describe("the first contact with a version of Premiere", () => {
  test("learns what no source says, touches nothing of the project, and is made once", async () => {
    const panel = await meet();
    const before = panel.premiere.machine.project("project-sample");
    panel.open();
    await expect.poll(() => learnt(panel)["contact"]).toMatch(/sequence usual, members usual/);
    expect(learnt(panel)).toMatchObject({ button: "box", sound: "file" });
    expect(panel.premiere.machine.project("project-sample")).toEqual(before);
    expect(panel.premiere.machine.undoStack).toEqual([]);
    // What was tried is gone from the page: the panel stands there, and what its sentences are said by.
    const ids = () => panel.page().body.children.map(({ attributes }) => attributes["id"]);
    const { id } = panel.page().root.attributes;
    await expect.poll(ids).toEqual([id, "heard-polite", "heard-assertive", "heard-descriptions"]);
    const kept = panel.disk.files.get(LEARNT);
    panel.open();
    await panel.sees("Harbour_v7");
    expect(panel.disk.files.get(LEARNT)).toBe(kept);
    expect(panel.page().played).toEqual([]);
  });

  test("another version is met anew, and what was learnt of the first stays", async () => {
    const first = await meet();
    first.open();
    await expect.poll(() => learnt(first)["contact"]).toBeDefined();
    const second = await meet({ version: "27.1.0" });
    second.disk.files.set(LEARNT, first.disk.files.get(LEARNT) ?? new Uint8Array());
    second.open();
    await expect.poll(() => learnt(second, "27.1.0")["contact"]).toBeDefined();
    expect(learnt(second)).toEqual(learnt(first));
  });

  test("what differs is told as what Aside does about it, and reported without names and paths", async () => {
    const panel = await meet({ playsSound: () => false, refusesFocus: ["div"] });
    panel.open();
    await panel.sees("Premiere 27.0.0 is new to Aside. Your project is unchanged.");
    await panel.sees("They stay grey.");
    panel.page().click("badge");
    panel.page().click("open-contact");
    await panel.sees("What Premiere 27.0.0 does");
    await panel.sees("This Premiere plays no sound in a panel. Aside plays it in the source monitor.");
    expect(learnt(panel)).toMatchObject({ button: "button", sound: "none" });
    panel.page().click("copy-contact");
    await panel.sees("Report copied");
    const [copied] = panel.copied;
    expect(copied).toContain("sound: differs: not in the panel: by the source monitor");
    expect(copied).toMatch(/Project\.getSequence \d+\/0\/0/);
    expect(copied).not.toMatch(/Harbour|\/data|\/media|127\.0\.0\.1:\d|sequence-sample/);
    panel.page().click("contact-continue");
    await expect.poll(() => panel.page().view).toBe("describe");
  });

  test("a service that answers by one of its names is asked by that one from then on", async () => {
    const panel = await meet({}, { deniesName: "127.0.0.1" });
    await panel.connect();
    await expect.poll(() => learnt(panel)["loopback"]).toBe("localhost");
  });

  test("with no sequence open, what could not be seen is looked for at the next opening", async () => {
    const panel = await meet();
    panel.premiere.user.activateSequence(null);
    panel.open();
    await expect.poll(() => learnt(panel)["sound"]).toBe("file");
    expect(learnt(panel)["contact"]).toBeUndefined();
    panel.premiere.user.activateSequence(SAMPLE_SEQUENCE_ID);
    panel.open();
    await expect.poll(() => learnt(panel)["contact"]).toBeDefined();
  });

  test("a sound is played in the panel where that is heard, and by the source monitor where it is not any more", async () => {
    let isHeard = true;
    const panel = await meet({ playsSound: (address) => isHeard && address.startsWith("file:") });
    await panel.describe();
    await expect.poll(() => learnt(panel)["sound"]).toBe("file");
    await panel.openCue();
    panel.page().click("listen");
    await expect.poll(() => panel.page().played.at(-1)).toMatch(/^file:\/\/\/.*\.wav$/);
    expect(panel.heard).toEqual([]);
    panel.page().click("listen");
    await expect.poll(() => panel.page().byId("listen").attributes["aria-label"]).toBe("Listen");
    isHeard = false;
    panel.page().click("listen");
    await expect.poll(() => panel.heard).toHaveLength(1);
  });
});

describe("buttons made of boxes", () => {
  test("lead through the whole journey by mouse and by keyboard", async () => {
    const panel = await meet();
    panel.open();
    await expect.poll(() => learnt(panel)["contact"]).toBeDefined();
    await panel.describe();
    const place = panel.page().byId("place");
    expect([place.name, place.attributes["role"], place.attributes["tabindex"]]).toEqual(["div", "button", "0"]);
    place.focus();
    expect(panel.page().activeElement).toBe(place);
    place.happens("keydown", { key: "Enter" });
    await panel.sees("Done: Place");
    await expect.poll(() => panel.page().find("take-back")).not.toBeNull();
    panel.page().byId("take-back").happens("keydown", { key: "Enter" });
    await panel.sees("Undone");
    expect(panel.page().byId("tab-review").attributes["role"]).toBe("tab");
  });

  test("are the host's own where the editor wants it, kept for this version", async () => {
    const panel = await meet();
    panel.open();
    await expect.poll(() => learnt(panel)["contact"]).toBeDefined();
    await panel.sees("Harbour_v7");
    panel.page().click("badge");
    panel.page().click("open-contact");
    await panel.sees("Use Premiere’s own buttons");
    panel.page().tick("plain-buttons", true);
    await expect.poll(() => panel.page().byId("badge").name).toBe("button");
    panel.open();
    await panel.sees("Harbour_v7");
    expect(panel.page().byId("badge").name).toBe("button");
  });
});
